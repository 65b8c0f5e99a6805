// Data and calls as Zig keeps them; the test stops at the line marked `inside`.
const State = enum(u8) { ready, running = 4, waiting };
const Fault = error{ TooLong, NotThere };
const Shape = union(enum) { circle: u32, square: struct { side: u64 }, nothing };
const Word = packed struct { low: u3, high: u5, flag: bool, rest: u7 };

const Task = struct {
    id: u32,
    name: []const u8,
    state: State,
    shape: Shape,
    ticks: ?*const u64,
    limit: ?u32,
    parts: []const u16,
    next: ?*Task,
};

const ticks: u64 = 77;
const parts = [_]u16{ 7, 8, 9 };

var idle = Task{
    .id = 2,
    .name = "idle",
    .state = .ready,
    .shape = .{ .square = .{ .side = 9 } },
    .ticks = null,
    .limit = null,
    .parts = &.{},
    .next = null,
};
var boot: Task = undefined;
var number: i32 = -5;
var word = Word{ .low = 5, .high = 17, .flag = true, .rest = 99 };

fn half(value: u32) Fault!u32 {
    @setRuntimeSafety(false);
    if (value > 100) return error.TooLong;
    if (value & 1 == 1) return error.NotThere;
    return value / 2;
}

fn check(value: u32) Fault!void {
    @setRuntimeSafety(false);
    if (value > 100) return error.TooLong;
}

fn look(task: *const Task, more: []const u16) u32 {
    @setRuntimeSafety(false);
    const good = half(84);
    const bad = half(7);
    const checked = check(5);
    const unchecked = check(500);
    const fault: anyerror = error.TooLong;
    var maybe: ?u32 = null;
    var none: ?u32 = 9;
    if (more.len == 3) maybe = 12;
    if (more.len == 3) none = null;
    var list = [_]State{ .ready, .running, .waiting };
    const text: [*:0]const u8 = "zero";
    const ratio: f32 = 2.5;
    const enabled = task.id == 1;
    const wide: u128 = 1 << 100;
    const small: u5 = 19;
    const shape = task.shape;
    list[0] = .waiting;
    word.low +%= 1;
    number += @intCast(more[0]); // inside
    use(&.{
        @intFromPtr(&good),
        @intFromPtr(&bad),
        @intFromPtr(&checked),
        @intFromPtr(&unchecked),
        @intFromPtr(&fault),
        @intFromPtr(&maybe),
        @intFromPtr(&none),
        @intFromPtr(&list),
        @intFromPtr(&text),
        @intFromPtr(&ratio),
        @intFromPtr(&enabled),
        @intFromPtr(&wide),
        @intFromPtr(&small),
        @intFromPtr(&shape),
    });
    return task.id;
}

var used: usize = 0;
noinline fn use(list: []const usize) void {
    @setRuntimeSafety(false);
    for (list) |each| used ^= each;
}

export fn kernel_main() noreturn {
    @setRuntimeSafety(false);
    boot = .{
        .id = 1,
        .name = "init",
        .state = .running,
        .shape = .{ .circle = 5 },
        .ticks = &ticks,
        .limit = 3,
        .parts = &parts,
        .next = &idle,
    };
    _ = look(&boot, &parts);
    while (true) {}
}

export fn _start() callconv(.Naked) noreturn {
    asm volatile (
        \\ mov x0, #0x300000
        \\ msr cpacr_el1, x0
        \\ ldr x0, =0x40180000
        \\ mov sp, x0
        \\ bl kernel_main
    );
}

export fn memcpy(to: [*]u8, from: [*]const u8, count: usize) [*]u8 {
    @setRuntimeSafety(false);
    for (0..count) |n| to[n] = from[n];
    return to;
}

pub fn panic(_: []const u8, _: ?*@import("std").builtin.StackTrace, _: ?usize) noreturn {
    while (true) {}
}
