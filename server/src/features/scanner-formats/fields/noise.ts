import { stripVTControlCharacters } from 'node:util'

/** Levels and times at the start of log lines of ProjectDiscovery tools. */
const LOGGED = /^\[?(?:(?:INF|WRN|ERR|FTL|DBG|VER)|\d{1,4}:\d\d:\d\d)\]/

/** Removes terminal colours from a line. */
export const plainLine = (line: string): string => stripVTControlCharacters(line).trim()

/** True for a log line; logs are often in the same file as the output. @param line without colours */
export const isLogLine = (line: string): boolean => LOGGED.test(line)

/** True for text between records that can be ignored: a log line, or a banner before the first record. */
export const isNoise = (text: string, isBeforeFirst: boolean): boolean => {
  const line = plainLine(text)
  return isLogLine(line) || (isBeforeFirst && !/["{}]/.test(line))
}
