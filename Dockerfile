# docker build -t frontpanel . && docker run --rm -i --init frontpanel
FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm pack --pack-destination /tmp

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends qemu-system-x86 qemu-utils socat \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /tmp/frontpanel-*.tgz /tmp/frontpanel.tgz
RUN npm install -g /tmp/frontpanel.tgz && rm /tmp/frontpanel.tgz
# Over stdio the page would be on a port of the container's own that nobody outside reaches.
ENV FRONTPANEL_PAGE=off
USER node
WORKDIR /home/node
ENTRYPOINT ["frontpanel"]
