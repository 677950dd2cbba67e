/** The commands in a crontab, without the five fields of the schedule; other lines stay as they are. */
export function cronCommands(crontab: string): string {
  return crontab.replace(/^[ \t]*(?:@\w+|(?:[\d*][\w*/,-]*[ \t]+){4}[\w*/,-]+)[ \t]+/gm, '');
}

/** What a unit of systemd starts: the lines `ExecStart=…` as commands, the others as they are. */
export function unitCommands(unit: string): string {
  return unit.replace(/^[ \t]*(?:\[\w+\]|Exec\w+=[-@+!:]*)/gm, '');
}
