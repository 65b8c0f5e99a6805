; What is a C64's own: sizes, registers, published addresses. Nothing here makes bytes.

c64     = 1
vic20   = 0
plus4   = 0
port_bus = 1

columns = 40
rows    = 25
line_columns = 80
comma_columns = 10
color_count = 16
color_page = $d8
letter_bit = 2             ; of `letters`: small ones
first_vector = cinv
short_wait = 9
long_wait = 200
last_byte_wait = 20
text_color = 14
short_pulse = 96           ; on tape, in units of four cycles

; ---- the processor's port
port_direction = $00
port           = $01
usrpok  = $0310
usradd  = $0311

; ---- chips
vic     = $d000
sid     = $d400
cia1    = $dc00
cia2    = $dd00
io_chips = cia1
key_columns = cia1
key_rows = cia1+1
stop_column = $7f
stop_row = $7f
irq_source = cia1+13
irq_enable = cia1+13
letters = vic+24
raster  = vic+18
timers  = cia1+4
other_timer = cia1+6
bus_port = cia2            ; bits 6 and 7 read CLOCK and DATA; these pull when set
bus_attention = $08
bus_clock = $10
bus_data = $20

; ---- BASIC
basic_at = $a000
at_odd_polynomial = $e043
at_polynomial = $e059
at_rnd = $e097
at_basic_char_out = $e10c
at_cos = $e264
at_sin = $e26b
at_tan = $e2b4
at_atn = $e30e
at_warm_start = $e37b
at_error_vector = $e38b
at_cold_start = $e394

; ---- the editor
at_io_base = $e500
at_screen_size = $e505
at_plot = $e50a
at_init_screen = $e518
at_clear_screen = $e544
at_home = $e566
at_locate = $e56c
at_key_from_buffer = $e5b4
at_input = $e632
at_screen_out = $e716
at_scroll = $e8ea
at_clear_row = $e9ff
at_color_pointer = $ea24
at_irq_default = $ea31
at_irq_done = $ea7e
at_scan_keys = $ea87
at_key_logic = $eb48
at_row_low = $ecf0

; ---- the serial bus
at_talk = $ed09
at_second = $edb9
at_release_attention = $edbe
at_talk_second = $edc7
at_serial_out = $eddd
at_untalk = $edef
at_unlisten = $edfe
at_serial_in = $ee13

; ---- files
at_get_in = $f13e
at_char_in = $f157
at_char_out = $f1ca
at_check_in = $f20e
at_check_out = $f250
at_close_file = $f291
at_close_all = $f32f
at_clear_channels = $f333
at_open_file = $f34a
at_load = $f49e
at_load_file = $f4a5
at_load_done = $f5a9
at_save = $f5dd
at_save_file = $f5ed

; ---- clock and tape
at_update_clock = $f69b
at_read_clock = $f6dd
at_set_clock = $f6e4
at_stop_key = $f6ed
at_find_header = $f72c
at_tape_buffer = $f7d0
at_tape_buffer_range = $f7d7
at_find_named = $f7ea
at_press_play = $f817
at_tape_key = $f82e
at_press_record = $f838
at_read_buffer = $f841
at_read_block = $f84a
at_tape_pulse = $f92c
at_tape_off = $fc93
at_motor_off = $fcca
at_cartridge = $fd02
at_vectors = $fd30

; ---- the system
at_restor = $fd15
at_vector = $fd1a
at_set_name = $fdf9
at_set_file = $fe00
at_read_status = $fe07
at_set_messages = $fe18
at_or_status = $fe1c
at_set_timeout = $fe21
at_set_memtop = $fe25
at_set_membot = $fe34
at_irq = $ff48
at_jump_table = $ff81
