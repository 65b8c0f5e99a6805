/**
 * A plugin for QEMU that counts how often each block of code runs, into a file that this process reads meanwhile: see
 * `counts-file.ts` for its form. QEMU's header for plugins is in few packages, so that the few functions are declared here; they
 * are the same in all versions of the interface. `API` is the version that the program takes.
 */
export const counterSource = `
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*translated)(uint64_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, void (*ran)(unsigned, void *), int flags, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);

struct head {
  uint64_t used; /* bytes, this head among them */
  uint64_t instructions;
  uint64_t left_out;
};

struct block {
  uint64_t runs;
  uint64_t address;
  uint32_t count;
  uint32_t next; /* in units of 8 bytes; 0: none */
  uint8_t sizes[];
};

enum { most = 1024, slot_count = 1 << 16, step = 1 << 16 };

static uint8_t *file;
static uint64_t room;
static uint64_t given; /* bytes of it that the disk has room for */
static int opened;
static struct head *head;
static uint32_t slots[slot_count];
static char busy;

static struct block *at(uint32_t place) { return (struct block *)(file + (uint64_t)place * 8); }

/* A page that a full disk has no room for would end QEMU with a SIGBUS when it is written. */
static int has(uint64_t end) {
  if (end <= given) return 1;
  if (end > room) return 0;
  uint64_t wanted = end + step < room ? end + step : room;
  int why = posix_fallocate(opened, 0, (off_t)wanted);
  if (why == ENOSPC && wanted > end) why = posix_fallocate(opened, 0, (off_t)(wanted = end));
  if (why != 0 && why != EOPNOTSUPP && why != EINVAL) return 0;
  given = wanted;
  return 1;
}

static struct block *found(uint64_t address, const uint8_t *sizes, size_t count) {
  uint32_t *slot = &slots[(address ^ address >> 16) % slot_count];
  for (uint32_t place = *slot; place != 0; place = at(place)->next) {
    struct block *each = at(place);
    if (each->address == address && each->count == count && memcmp(each->sizes, sizes, count) == 0) return each;
  }
  uint64_t bytes = (sizeof(struct block) + count + 7) & ~(uint64_t)7;
  if (!has(head->used + bytes)) {
    head->left_out++;
    return NULL;
  }
  struct block *made = (struct block *)(file + head->used);
  made->address = address;
  made->count = (uint32_t)count;
  made->next = *slot;
  memcpy(made->sizes, sizes, count);
  *slot = (uint32_t)(head->used / 8);
  __atomic_store_n(&head->used, head->used + bytes, __ATOMIC_RELEASE);
  return made;
}

static void ran(unsigned processor, void *block) {
  (void)processor;
  __atomic_fetch_add(&((struct block *)block)->runs, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&head->instructions, ((struct block *)block)->count, __ATOMIC_RELAXED);
}

static void translated(uint64_t id, struct qemu_plugin_tb *code) {
  (void)id;
  uint8_t sizes[most];
  size_t count = qemu_plugin_tb_n_insns(code);
  if (count > most) count = most;
  for (size_t n = 0; n < count; n++) sizes[n] = (uint8_t)qemu_plugin_insn_size(qemu_plugin_tb_get_insn(code, n));
  while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE)) {}
  struct block *block = found(qemu_plugin_tb_vaddr(code), sizes, count);
  __atomic_clear(&busy, __ATOMIC_RELEASE);
  if (block != NULL) qemu_plugin_register_vcpu_tb_exec_cb(code, ran, 0, block);
}

__attribute__((visibility("default"))) int qemu_plugin_version = API;

__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info, int count, char **words) {
  (void)info;
  const char name[] = "counts=";
  if (count != 1 || strncmp(words[0], name, sizeof name - 1) != 0) return 1;
  opened = open(words[0] + sizeof name - 1, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  struct stat about;
  if (opened < 0 || fstat(opened, &about) != 0) return 1;
  room = (uint64_t)about.st_size;
  file = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (file == MAP_FAILED || !has(sizeof(struct head))) return 1;
  head = (struct head *)file;
  head->used = sizeof(struct head);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
`;
