; What is a Plus/4's and a C16's own: sizes, registers, published addresses. Nothing here makes bytes.

c64     = 0
vic20   = 0
plus4   = 1
port_bus = 1

columns = 40
rows    = 25
line_columns = 80
comma_columns = 10
color_count = 16
color_page = $08
text_color = 0
letter_bit = 4             ; of `letters`: small ones
first_vector = itime
short_wait = 20            ; the clock may be double or single
long_wait = 255
last_byte_wait = 40

; ---- the processor's port
bus_port = $01             ; bits 6 and 7 read CLOCK and DATA; these pull when set
bus_attention = $04
bus_clock = $02
bus_data = $01
port_direction = $00
usrpok  = $0500
usradd  = $0501

; ---- chips
ted     = $ff00
io_chips = $fd00
key_columns = $fd30
key_rows = ted+8
stop_column = $7f
stop_row = $7f
irq_source = ted+9
letters = ted+19
raster  = ted+29
timers  = ted
other_timer = ted+2

; ---- BASIC
basic_at = $8000

; ---- published entries; the editor, files and the serial bus are reached by the jump table
at_irq = $fcb3
at_irq_exit = $fcbe
at_irq_default = $ce0e
at_jump_table = $ff81
