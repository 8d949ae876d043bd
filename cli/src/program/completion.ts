import type { Command } from './command.ts'
import { EXIT, usageError } from './exit.ts'
import { print } from './terminal.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

/** @param commands all others, whose names and options are completed */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  actions: SHELLS,
  usage: `completion ${SHELLS.join('|')}`,
  summary: 'Print the completion of commands and options for a shell.',
  options: {},
  run: async (_environment, { positionals }) => {
    const [shell] = positionals
    if (shell === 'bash') print(bash(commands()))
    else if (shell === 'zsh') print(`autoload -U +X bashcompinit && bashcompinit\n${bash(commands())}`)
    else if (shell === 'fish') print(fish(commands()))
    else if (shell === 'powershell') print(powershell(commands()))
    else throw usageError(`Name a shell: ${SHELLS.join(', ')}.`)
    return EXIT.ok
  },
})

const wordsOf = ({ actions = [], options }: Command): string =>
  [...actions, ...Object.keys(options).map((name) => `--${name}`), '--help'].join(' ')

const namesOf = (commands: readonly Command[]): string => commands.map(({ name }) => name).join(' ')

const bash = (commands: readonly Command[]): string =>
  [
    '_sortie() {',
    '  local words',
    '  case "${COMP_WORDS[1]}" in',
    ...commands.map((command) => `    ${command.name}) words="${wordsOf(command)}" ;;`),
    '  esac',
    `  [ "$COMP_CWORD" -le 1 ] && words="${namesOf(commands)}"`,
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'complete -o default -F _sortie sortie',
  ].join('\n')

const fish = (commands: readonly Command[]): string =>
  [
    `complete -c sortie -n __fish_use_subcommand -f -a '${namesOf(commands)}'`,
    ...commands.flatMap((command) => {
      const seen = `-n '__fish_seen_subcommand_from ${command.name}'`
      return [
        ...(command.actions ? [`complete -c sortie ${seen} -f -a '${command.actions.join(' ')}'`] : []),
        ...Object.keys(command.options).map((name) => `complete -c sortie ${seen} -l ${name}`),
      ]
    }),
  ].join('\n')

const powershell = (commands: readonly Command[]): string =>
  [
    'Register-ArgumentCompleter -Native -CommandName sortie -ScriptBlock {',
    '  param($word, $ast, $position)',
    '  $words = @{',
    ...commands.map((command) => `    '${command.name}' = '${wordsOf(command)}'`),
    '  }',
    '  $parts = $ast.CommandElements',
    `  $found = if ($parts.Count -gt 1 -and $words.ContainsKey("$($parts[1])")) { $words["$($parts[1])"] } else { '${namesOf(commands)}' }`,
    '  $found -split " " | Where-Object { $_ -like "$word*" }',
    '}',
  ].join('\n')
