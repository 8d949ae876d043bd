import { isIP } from 'node:net'

/** Flags of the program, numbers and lists of ports; everything after `--` is an address. */
const GRAMMAR =
  /^(?:-n|-6|-T4|-p|-Pn|-oX|-|--noninteractive|--exclude-ports|--max-parallelism|--max-retries|(?:U:)?[\d,-]+|(?:[TU]:\d+,?)+)$/

/** True if nmap received only permitted arguments, and no text of a user. */
export const isWithinGrammar = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return (
    end > 0 &&
    args.slice(0, end).every((arg) => GRAMMAR.test(arg)) &&
    args.slice(end + 1).every((arg) => isIP(arg) !== 0)
  )
}
