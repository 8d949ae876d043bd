import { type Command, COMMON_OPTIONS, type Option } from './command.ts'

const WIDTH = 100

/** All commands, a line each. */
export const overview = (commands: readonly Command[]): string =>
  [
    'Usage: sortie COMMAND [OPTIONS]',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    '`sortie help COMMAND` shows the options of a command. Exit codes: 0 success, 1 failure, 2 usage, 3 out of scope or',
    'hours, 4 caution, 5 not signed in, 6 no permission, 7 conflict, 8 unreachable, 10 found what --fail-on names, or a failed assertion.',
  ].join('\n')

/** How one command is used. */
export const helpOf = ({ usage, summary, details, options }: Command): string =>
  [
    `Usage: sortie ${usage}`,
    '',
    ...wrap(summary),
    ...(details === undefined ? [] : ['', ...wrap(details)]),
    '',
    ...columns(
      Object.entries({ ...options, ...COMMON_OPTIONS }).map(([name, option]) => [spell(name, option), option.about]),
    ),
  ].join('\n')

const spell = (name: string, { type, value = 'TEXT' }: Option): string =>
  type === 'boolean' ? `--${name}` : `--${name} ${value}`

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.flatMap(([name, about]) => {
    const lines = wrap(about, WIDTH - width - 2)
    return (lines.length === 0 ? [''] : lines).map((line, index) =>
      `  ${(index === 0 ? name : '').padEnd(width)}${line}`.trimEnd(),
    )
  })
}

const wrap = (text: string, width = WIDTH): string[] => {
  const lines: string[] = []
  for (const word of text.split(/\s/).filter((each) => each !== '')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
