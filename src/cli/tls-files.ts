import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { TlsFiles } from '../server/listening-server.ts';
import { UsageError } from './usage-error.ts';

export interface TlsPaths {
  readonly cert: string;
  readonly key: string;
}

export interface LoadedTls extends TlsFiles {
  /** SHA-256 of the certificate, as `fingerprint256` has it. */
  readonly fingerprint: string;
  readonly validTo: Date;
}

/** Both files, checked against each other. Throws a `UsageError` that says which file is wrong, and how. */
export function loadTls({ cert, key }: TlsPaths): LoadedTls {
  const files = { cert: read('--tls-cert', cert), key: read('--tls-key', key) };
  const certificate = parseCertificate(cert, files.cert);
  const privateKey = parseKey(key, files.key);
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new UsageError([`${key} (--tls-key) is not the key of the certificate in ${cert} (--tls-cert).`]);
  }
  return { ...files, fingerprint: certificate.fingerprint256, validTo: new Date(certificate.validTo) };
}

/** Loads the files again when they have changed, as they do when a certificate is renewed. Ends with the process. */
export function watchTls(
  paths: TlsPaths,
  events: { changed(tls: LoadedTls): void; failed(error: unknown): void },
  everyMs = 30_000,
): () => void {
  let seen = stampOf(paths);
  const timer = setInterval(() => {
    const stamp = stampOf(paths);
    if (stamp === seen) return;
    seen = stamp;
    try {
      events.changed(loadTls(paths));
    } catch (error) {
      events.failed(error);
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}

function stampOf({ cert, key }: TlsPaths): string {
  try {
    return [cert, key].map((path) => statSync(path).mtimeMs).join();
  } catch {
    return '';
  }
}

function read(option: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError([`${option}: ${path} cannot be read: ${error instanceof Error ? error.message : error}.`]);
  }
}

function parseCertificate(path: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new UsageError([`--tls-cert: ${path} holds no certificate in PEM ("-----BEGIN CERTIFICATE-----").`]);
  }
}

function parseKey(path: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    const hint = pem.includes('ENCRYPTED') ? ' It has a passphrase: remove that with openssl pkey.' : '';
    throw new UsageError([`--tls-key: ${path} holds no private key in PEM that can be used.${hint}`]);
  }
}
