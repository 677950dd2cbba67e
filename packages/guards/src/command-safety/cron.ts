/** The commands in a crontab, without the five fields of the schedule; other lines stay as they are. */
export function cronCommands(crontab: string): string {
  return crontab.replace(/^[ \t]*(?:@\w+|(?:[\d*][\w*/,-]*[ \t]+){4}[\w*/,-]+)[ \t]+/gm, '');
}
