/* Eight faults, one of which the command line names. Each has a cause that its place alone does not tell. */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

struct task {
  u32 id;
  const char *name;
  u64 ticks;
  struct task *next;
};

struct session;
struct session_operations {
  int (*close)(struct session *);
};
struct session {
  u64 id;
  const struct session_operations *operations;
};

struct lock {
  volatile u32 taken;
  const char *owner;
};

struct gate {
  u16 low, selector;
  u8 stack, type;
  u16 middle;
  u32 high, reserved;
} __attribute__((packed));

static struct gate idt[256];
static struct {
  u16 limit;
  u64 base;
} __attribute__((packed)) idt_pointer = {sizeof idt - 1, (u64)idt};

static struct task idle = {0, "idle", 1000, 0};
static struct task init = {1, "init", 250, &idle};
static struct task *tasks = &init;
static struct lock accounts = {0, 0};
static u8 heap[256];
static u32 samples[4];
static u32 sample_count;

extern void enter_user(void *where, u64 stack);

static void put(char letter) { __asm__ volatile("outb %0, %1" ::"a"(letter), "Nd"((u16)0x3f8)); }

static void print(const char *text) {
  while (*text) put(*text++);
}

static int same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

struct frame {
  u64 rip, cs, flags, rsp, ss;
};

/* Says only that something happened, as many kernels do. */
static void stop(void) {
  print("PANIC\r\n");
  for (;;) __asm__ volatile("cli; hlt");
}

__attribute__((interrupt)) static void on_exception(struct frame *frame) {
  (void)frame;
  stop();
}

__attribute__((interrupt)) static void on_exception_with_code(struct frame *frame, u64 code) {
  (void)frame, (void)code;
  stop();
}

static void set_gate(u32 vector, u16 selector, void *handler) {
  u64 at = (u64)handler;
  idt[vector] = (struct gate){at, selector, 0, 0x8e, at >> 16, at >> 32, 0};
}

static void load_idt(u16 limit) {
  idt_pointer.limit = limit;
  __asm__ volatile("lidt %0" ::"m"(idt_pointer));
}

/* Null pointer: there is no task of this number. */
static struct task *find_task(u32 id) {
  for (struct task *each = tasks; each; each = each->next)
    if (each->id == id) return each;
  return 0;
}

static void null_pointer(void) {
  struct task *found = find_task(7);
  found->ticks++;
  print(found->name);
}

/* Stack overflow: nobody ends the recursion. */
static u64 depth_of(struct task *task, u64 depth) {
  volatile u64 path[32];
  path[depth & 31] = depth;
  return depth_of(task->next ? task->next : tasks, depth + 1) + path[depth & 31];
}

/* Bad IDT entry: the gate of the timer names a segment that there is not. */
static void bad_gate(void) {
  set_gate(0x20, 0x40, on_exception);
  __asm__ volatile("int $0x20");
}

/* Page fault in user mode: a program reads what belongs to the kernel. */
__attribute__((section(".user"))) static void program(void) {
  volatile u64 *secret = (volatile u64 *)0x300000;
  for (;;) (void)*secret;
}

/* Division: nothing was measured yet. */
static u32 average(void) {
  u32 sum = 0;
  for (u32 n = 0; n < sample_count; n++) sum += samples[n];
  return sum / sample_count;
}

/* Triple fault: the table of interrupts has no room for any. */
static void triple_fault(void) {
  load_idt(0);
  __asm__ volatile("int3");
}

/* Deadlock: what is called under the lock takes it again. */
static void take(struct lock *lock, const char *owner) {
  while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE)) __asm__ volatile("pause");
  lock->owner = owner;
}

static void charge(struct task *task) {
  take(&accounts, "charge");
  task->ticks++;
  accounts.taken = 0;
}

static void charge_all(void) {
  take(&accounts, "charge_all");
  for (struct task *each = tasks; each; each = each->next) charge(each);
  accounts.taken = 0;
}

/* Use after free: the session is closed after it was given back. */
static int close_session(struct session *session) {
  session->id = 0;
  return 0;
}

static const struct session_operations operations = {close_session};

static void release(void *memory, u64 bytes) {
  u8 *at = memory;
  while (bytes--) *at++ = 0x6b;
}

static int use_after_free(void) {
  struct session *session = (struct session *)heap;
  session->id = 42;
  session->operations = &operations;
  release(session, sizeof *session);
  return session->operations->close(session);
}

static void set_up(void) {
  for (u32 vector = 0; vector < 32; vector++) {
    int has_code = vector == 8 || (vector >= 10 && vector <= 14) || vector == 17 || vector == 21;
    set_gate(vector, 8, has_code ? (void *)on_exception_with_code : (void *)on_exception);
  }
  load_idt(sizeof idt - 1);
}

void kernel_main(const char *command) {
  set_up();
  print("READY ");
  print(command);
  print("\r\n");
  if (same(command, "null")) null_pointer();
  if (same(command, "stack")) depth_of(tasks, 0);
  if (same(command, "gate")) bad_gate();
  if (same(command, "user")) enter_user(program, 0x7f0000);
  if (same(command, "division")) samples[0] = average();
  if (same(command, "triple")) triple_fault();
  if (same(command, "deadlock")) charge_all();
  if (same(command, "free")) use_after_free();
  if (same(command, "debug")) for (const char *at = "debug text\n"; *at; at++) __asm__ volatile("outb %0, $0xe9" ::"a"(*at));
  if (same(command, "off")) __asm__ volatile("outw %0, %1" ::"a"((u16)0x2000), "Nd"((u16)0x604));
  print("DONE\r\n");
}
