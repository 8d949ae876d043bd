import { stripVTControlCharacters } from 'node:util'

/** Levels and times with which the tools of ProjectDiscovery begin the lines of their logs. */
const LOGGED = /^\[?(?:(?:INF|WRN|ERR|FTL|DBG|VER)|\d{1,4}:\d\d:\d\d)\]/

/** A line without what colours it in a terminal. */
export const plainLine = (line: string): string => stripVTControlCharacters(line).trim()

/** Whether a line is of a log, which is often in the same file as the output. @param line plain */
export const isLogLine = (line: string): boolean => LOGGED.test(line)

/** Whether text between records is no piece of any: of a log, or before the first of them a banner. */
export const isNoise = (text: string, isBeforeFirst: boolean): boolean => {
  const line = plainLine(text)
  return isLogLine(line) || (isBeforeFirst && !/["{}]/.test(line))
}
