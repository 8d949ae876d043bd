/** Length of a command in the operation log. */
const MAX_COMMAND_LENGTH = 2_000
const HIDDEN = '***'

/** Options whose value is a secret, of any program. */
const SECRET_OPTIONS = new Set([
  '--password',
  '--passwd',
  '--pass',
  '--token',
  '--api-token',
  '--auth-token',
  '--api-key',
  '--apikey',
  '--secret',
  '--auth-cred',
  '--oauth2-bearer',
  '--cookie',
  '--hash',
  '--hashes',
])
/** Short options whose value is a secret, by program. */
const SECRET_SHORT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  netexec: ['-p', '-H'],
  nxc: ['-p', '-H'],
  crackmapexec: ['-p', '-H'],
  curl: ['-b'],
  ffuf: ['-b'],
}
/** Options whose value is `user:secret`. */
const USER_OPTIONS = new Set(['-u', '-U', '--user', '--proxy-user', '--http-auth', '--proxy-auth'])
const HEADER_OPTIONS = new Set(['-H', '--header', '--headers', '--proxy-header'])
const SECRET_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-csrf-token',
])

/** A command as one line for the operation log, with its secrets masked. */
export const maskCommand = (command: readonly string[]): string => {
  const short = SECRET_SHORT_OPTIONS[nameOf(command[0] ?? '')] ?? []
  const isSecret = (option: string) => SECRET_OPTIONS.has(option) || short.includes(option)
  const masked = command.map((argument, index) => {
    const option = command[index - 1] ?? ''
    if (isSecret(option)) return HIDDEN
    if (USER_OPTIONS.has(option)) return maskUser(argument)
    if (HEADER_OPTIONS.has(option)) return maskHeader(argument)
    const equals = argument.indexOf('=')
    const name = equals < 0 ? argument : argument.slice(0, equals)
    const value = argument.slice(equals + 1)
    if (equals > 0 && isSecret(name)) return `${name}=${HIDDEN}`
    if (equals > 0 && USER_OPTIONS.has(name)) return `${name}=${maskUser(value)}`
    if (equals > 0 && HEADER_OPTIONS.has(name)) return `${name}=${maskHeader(value)}`
    // Short options may have their value attached: `-uada:secret`.
    const attached = argument.slice(0, 2)
    if (argument.startsWith('-') && !argument.startsWith('--') && argument.length > 2) {
      if (short.includes(attached)) return attached + HIDDEN
      if (USER_OPTIONS.has(attached)) return attached + maskUser(argument.slice(2))
      if (HEADER_OPTIONS.has(attached)) return attached + maskHeader(argument.slice(2))
    }
    return maskText(argument)
  })
  const line = masked.map(quoted).join(' ')
  return line.length <= MAX_COMMAND_LENGTH ? line : `${line.slice(0, MAX_COMMAND_LENGTH - 1)}…`
}

/** `/usr/bin/nmap` and `nmap.exe` are nmap. */
export const nameOf = (program: string): string => {
  const name = program.split(/[\\/]/).at(-1) ?? program
  return name.toLowerCase().endsWith('.exe') ? name.slice(0, -4) : name
}

const maskUser = (text: string): string => {
  if (text.includes('://')) return maskText(text)
  const colon = text.indexOf(':')
  return colon < 0 ? maskText(text) : `${text.slice(0, colon)}:${HIDDEN}`
}

const maskHeader = (text: string): string => {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0))
  // Without a name it is a hash, or a header that an option names.
  if (colon < 0) return HIDDEN
  return SECRET_HEADERS.has(name.trim().toLowerCase()) ? `${name}: ${HIDDEN}` : maskText(text)
}

const maskText = (text: string): string =>
  maskUserInfo(text)
    .replaceAll(/svc_(live|test)_[0-9A-Za-z]*/g, `svc_$1_${HIDDEN}`)
    .replaceAll(/\b(password|passwd|pass|token|secret|api[_-]?key)=[^,&\s]*/gi, `$1=${HIDDEN}`)

/** The user and password of an address. */
const maskUserInfo = (text: string): string => {
  const start = text.indexOf('://')
  if (start < 0) return text
  const from = start + 3
  const end = text.slice(from).search(/[/?#]/)
  const authority = end < 0 ? text.slice(from) : text.slice(from, from + end)
  const at = authority.lastIndexOf('@')
  if (at < 0) return text
  return `${text.slice(0, from)}${HIDDEN}@${text.slice(from + at + 1)}`
}

const quoted = (argument: string): string => {
  // One line: the operation log shows no control characters.
  const line = argument.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')
  return line !== '' && !/[^\w@%+=:,./-]/.test(line) ? line : `'${line.replaceAll("'", String.raw`'\''`)}'`
}
