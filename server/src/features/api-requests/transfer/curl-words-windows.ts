/** Whether a text is a command as browsers copy it for `cmd.exe`: carets before quotes, or at the end of a line. */
export const isForWindows = (text: string): boolean => /\^"|\^[ \t]*\r?\n/.test(text)

/** Words of each command, as `cmd.exe` and then the program would read them; nothing is expanded or run. */
export const splitWindowsCommands = (text: string): string[][] => withoutCarets(text.replaceAll('\r\n', '\n')).map(argumentsIn)

/** What `cmd.exe` hands on, command by command: a caret takes from the next character what it means to the shell. */
const withoutCarets = (text: string): string[] => {
  const commands: string[] = []
  let command = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '^' && !isQuoted) {
      at++
      // Blanks behind it, which nobody sees, are not meant.
      const [blanks = ''] = /^[ \t]{1,100}(?=\n)/.exec(text.slice(at, at + 101)) ?? []
      at += blanks.length
      // At the end of a line the next one goes on; two ends of lines are one.
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

/** As the C library of Windows tells arguments apart: backslashes count where they stand before a quote. */
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
