/** What our types of breakpoints are called here. */
const names: Readonly<Record<string, string>> = {
  exec: 'pc',
  read: 'memory_read',
  write: 'memory_write',
  change: 'memory_change',
  chip_write: 'vic_register_write',
  sprite_sprite: 'sprite_collision',
  sprite_background: 'sprite_collision',
};

export function breakpointType(own: string): string {
  return names[own] ?? own;
}
