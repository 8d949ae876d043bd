/** True for a command that a browser copied for `cmd.exe`: with carets before quotes, or at the end of a line. */
export const isForWindows = (text: string): boolean => /\^"|\^[ \t]*\r?\n/.test(text)

/** Splits commands into words, as `cmd.exe` and the program would; expands and runs nothing. */
export const splitWindowsCommands = (text: string): string[][] =>
  withoutCarets(text.replaceAll('\r\n', '\n')).map(argumentsIn)

/** Returns the commands that `cmd.exe` passes on: a caret escapes the next character. */
const withoutCarets = (text: string): string[] => {
  const commands: string[] = []
  let command = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '^' && !isQuoted) {
      at++
      // Ignores invisible blanks before the end of a line.
      const [blanks = ''] = /^[ \t]{1,100}(?=\n)/.exec(text.slice(at, at + 101)) ?? []
      at += blanks.length
      // A caret continues the line; two line ends count as one.
      const isContinued = text[at] === '\n'
      if (isContinued && text[at + 1] === '\n') at++
      else if (isContinued) continue
      command += text[at] ?? ''
    } else if (!isQuoted && (character === '\n' || character === '&' || character === '|')) {
      commands.push(command)
      command = ''
    } else {
      if (character === '"') isQuoted = !isQuoted
      command += character
    }
  }
  return [...commands, command].filter((each) => each.trim() !== '')
}

/** Splits arguments like the Windows C library: backslashes are special only before a quote. */
const argumentsIn = (command: string): string[] => {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (let at = 0; at < command.length; at++) {
    const [backslashes] = /^\\*/.exec(command.slice(at)) as RegExpExecArray
    const next = command[at + backslashes.length]
    if (backslashes !== '' && next === '"') {
      word = (word ?? '') + '\\'.repeat(Math.floor(backslashes.length / 2))
      at += backslashes.length - 1
      if (backslashes.length % 2 === 1) {
        word += '"'
        at++
      }
    } else if (backslashes !== '') {
      word = (word ?? '') + backslashes
      at += backslashes.length - 1
    } else if (next === '"') {
      if (isQuoted && command[at + 1] === '"') {
        word = `${word ?? ''}"`
        at++
      } else {
        isQuoted = !isQuoted
        word ??= ''
      }
    } else if (!isQuoted && /\s/.test(next as string)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + next
  }
  return word === undefined ? words : [...words, word]
}
