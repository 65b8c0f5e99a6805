; What is a VIC-20's own: sizes, registers, published addresses. Nothing here makes bytes.

c64     = 0
vic20   = 1
plus4   = 0
port_bus = 0

columns = 22
rows    = 23
line_columns = 88
comma_columns = 11
color_count = 8
color_page = $94
letter_bit = 2             ; of `letters`: small ones
first_vector = cinv
short_wait = 9
long_wait = 200
last_byte_wait = 20
text_color = 6
short_pulse = 108          ; on tape, in units of four cycles

usrpok  = $00
usradd  = $01

; ---- chips
vic     = $9000
via1    = $9110
via2    = $9120
io_chips = via1
key_columns = via2
key_rows = via2+15         ; without a handshake
stop_column = $f7
stop_row = $fe
irq_source = via2+4
irq_enable = via2+14
letters = vic+5
raster  = vic+4
timers  = via2+4
other_timer = via1+4
bus_in  = via1+15          ; bit 0: clock, bit 1: data, bit 7 pulls attention when set, bit 6: 0 if a key of the datasette is down
bus_out = via2+12          ; bit 1 pulls clock, bit 5 data, when set
motor   = via1+12          ; bit 1: 0 on

; ---- BASIC
basic_at = $c000
at_odd_polynomial = $e040
at_polynomial = $e056
at_cos = $e261
at_sin = $e268
at_warm_start = $e467
at_cold_start = $e378

; ---- the editor
at_io_base = $e500
at_screen_size = $e505
at_plot = $e50a
at_init_screen = $e518
at_clear_screen = $e55f
at_home = $e581
at_locate = $e587
at_key_from_buffer = $e5cf
at_input = $e64f
at_screen_out = $e742
at_scroll = $e975
at_clear_row = $ea8d
at_color_pointer = $eab2
at_irq_default = $eabf
at_irq_done = $eb15
at_scan_keys = $eb1e
at_key_logic = $ebdc
at_row_low = $edfd

; ---- the serial bus
at_talk = $ee14
at_second = $eec0
at_release_attention = $eec5
at_talk_second = $eece
at_serial_out = $eee4
at_untalk = $eef6
at_unlisten = $ef04
at_serial_in = $ef19

; ---- files
at_get_in = $f1f5
at_char_in = $f20e
at_char_out = $f27a
at_check_in = $f2c7
at_check_out = $f309
at_close_file = $f34a
at_close_all = $f3ef
at_clear_channels = $f3f3
at_open_file = $f40a
at_load = $f542
at_load_file = $f549
at_load_done = $f641
at_save = $f675
at_save_file = $f685

; ---- clock and tape
at_update_clock = $f734
at_read_clock = $f760
at_set_clock = $f767
at_stop_key = $f770
at_find_header = $f7af
at_tape_buffer = $f84d
at_tape_buffer_range = $f854
at_find_named = $f867
at_press_play = $f894
at_tape_key = $f8ab
at_press_record = $f8b7
at_read_buffer = $f8c0
at_read_block = $f8c9
at_tape_pulse = $f98e
at_tape_off = $fccf
at_motor_off = $fd08

; ---- the system
at_restor = $fd52
at_vector = $fd57
at_set_name = $fe49
at_set_file = $fe50
at_read_status = $fe57
at_set_messages = $fe66
at_set_timeout = $fe6f
at_set_memtop = $fe73
at_set_membot = $fe82
at_irq = $ff72
at_jump_table = $ff8a
