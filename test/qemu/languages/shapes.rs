#![no_std]
// Data as Rust keeps it; nothing here is run.
pub enum Shape {
    Circle(u32),
    Square { side: u64 },
    Nothing,
}

pub struct Task {
    pub id: u32,
    pub name: &'static str,
    pub shape: Shape,
    pub ticks: Option<&'static u64>,
    pub parts: &'static [u16],
}

static TICKS: u64 = 77;
static PARTS: [u16; 3] = [7, 8, 9];

#[no_mangle]
pub static TASKS: [Task; 3] = [
    Task { id: 1, name: "init", shape: Shape::Circle(5), ticks: Some(&TICKS), parts: &PARTS },
    Task { id: 2, name: "idle", shape: Shape::Square { side: 9 }, ticks: None, parts: &[] },
    Task { id: 3, name: "", shape: Shape::Nothing, ticks: None, parts: &[] },
];

#[no_mangle]
pub extern "C" fn kernel_main() -> u32 {
    TASKS[0].id
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
