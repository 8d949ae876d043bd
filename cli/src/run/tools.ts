/**
 * How the arguments of a program name what it sends to. An option that is not known here is taken to have no value: what
 * follows it then counts as a target, and is refused unless it is one. So an option that has no value must never be
 * listed as one that has.
 */
export interface Tool {
  /** Options whose value is not a target. */
  withValue: readonly string[]
  /** Options whose value is a target, or several with commas. */
  targets: readonly string[]
  /** Options whose value is a file of targets. */
  lists: readonly string[]
  /** Options with which targets cannot be read from the arguments; with the reason. */
  unreadable: Readonly<Record<string, string>>
  /** Whether arguments without a hyphen are targets. */
  positionals: 'targets' | 'none'
  /** How the program reads a target: as a URL without a scheme if need be, or as an address, a name or a network. */
  reads: 'urls' | 'hosts'
  /** Letters of short options that can be written in one argument, and those of them that have a value. */
  clusters?: string
  /** Without targets in its arguments it reads them from standard input. */
  readsInput?: boolean
  /** A word in an argument with which the program finds further targets. */
  forbiddenWord?: string
  /** So many arguments before the targets are none. */
  leading?: number
  /** A target that is the name of a file is a list. */
  mayBeFiles?: true
  /** Option for networks to leave out. */
  exclude?: string
  /** The arguments that make it write a file that can be imported, without a change on the screen. */
  output?: { unless: readonly string[]; add(file: string): string[]; extension: string; from: readonly string[] }
}

const PLAIN = {
  withValue: [],
  targets: [],
  lists: [],
  unreadable: {},
  positionals: 'none',
  reads: 'urls',
} as const satisfies Tool

const STDIN = 'it takes its targets from elsewhere'
const CONFIG = 'a file of options may name other targets'

/** The words of these lines. */
const options = (...lines: string[]): string[] => lines.flatMap((line) => line.split(' '))

const nmap: Tool = {
  ...PLAIN,
  reads: 'hosts',
  positionals: 'targets',
  withValue: options(
    '-p -oN -oX -oG -oS -oA -e -S -g -D -T --top-ports --port-ratio',
    '--script --script-args --script-args-file --script-help --script-timeout --exclude',
    '--excludefile --exclude-ports --source-port --data --data-string --data-length --ttl',
    '--ip-options --spoof-mac --mtu --dns-servers --datadir --servicedb --versiondb',
    '--min-hostgroup --max-hostgroup --min-parallelism --max-parallelism --min-rtt-timeout',
    '--max-rtt-timeout --initial-rtt-timeout --max-retries --host-timeout --scan-delay',
    '--max-scan-delay --min-rate --max-rate --stylesheet --version-intensity --stats-every',
    '--scanflags --max-os-tries -iR --resume --proxies',
  ),
  targets: ['-sI', '-b'],
  lists: ['-iL'],
  unreadable: {
    '-iR': 'it chooses targets at random',
    '--resume': 'the file that it goes on with has other targets',
    '--proxies': 'it connects to the proxies, too',
  },
  forbiddenWord: 'newtargets',
  exclude: '--exclude',
  output: {
    unless: ['-oX', '-oA', '-oS'],
    add: (file) => ['-oX', file],
    extension: 'xml',
    from: ['-oX'],
  },
}

/** Tools of ProjectDiscovery: options with one dash, values with a space or `=`. */
const projectDiscovery = {
  ...PLAIN,
  targets: ['-u', '-target', '-host'],
  lists: ['-l', '-list'],
  unreadable: { '-config': CONFIG, '-resume': 'the file that it goes on with has other targets' },
  readsInput: true,
} as const

const TOOLS: Readonly<Record<string, Tool>> = {
  nmap,
  masscan: {
    ...PLAIN,
    reads: 'hosts',
    positionals: 'targets',
    withValue: options(
      '-p --ports --rate --max-rate -oX -oJ -oG -oL -oB -e --interface --wait',
      '--router-mac --adapter-ip --adapter-port --source-ip --source-port --exclude',
      '--excludefile --retries --seed --shards --output-format --output-filename --ttl',
      '-c --conf --resume --readscan',
    ),
    targets: ['--range'],
    lists: ['-iL', '--includefile'],
    unreadable: { '-c': CONFIG, '--conf': CONFIG, '--resume': CONFIG, '--readscan': STDIN },
    exclude: '--exclude',
    output: { unless: [], add: () => [], extension: 'xml', from: ['-oX', '-oJ'] },
  },
  naabu: {
    ...projectDiscovery,
    reads: 'hosts',
    withValue: [
      '-p',
      '-port',
      '-tp',
      '-top-ports',
      '-rate',
      '-c',
      '-o',
      '-output',
      '-ep',
      '-exclude-ports',
      '-timeout',
    ],
    unreadable: { ...projectDiscovery.unreadable, '-nmap-cli': 'it starts another program' },
    output: { unless: [], add: () => [], extension: 'json', from: ['-o', '-output'] },
  },
  httpx: {
    ...projectDiscovery,
    reads: 'hosts',
    withValue: [
      '-p',
      '-ports',
      '-o',
      '-output',
      '-t',
      '-threads',
      '-rl',
      '-timeout',
      '-H',
      '-header',
      '-path',
      '-x',
      '-mc',
    ],
    output: { unless: [], add: () => [], extension: 'json', from: ['-o', '-output'] },
  },
  nuclei: {
    ...projectDiscovery,
    withValue: options(
      '-t -templates -id -tags -etags -s -severity -es -o -output -rl -c -H',
      '-header -timeout -bs -w -workflows -jsonl-export -jle -json-export -je -me',
      '-markdown-export -se -sarif-export -V -var -eid -retries',
    ),
    output: {
      unless: ['-jsonl-export', '-jle'],
      add: (file) => ['-jsonl-export', file],
      extension: 'jsonl',
      from: ['-jsonl-export', '-jle', '-je', '-json-export'],
    },
  },
  ffuf: {
    ...PLAIN,
    targets: ['-u'],
    withValue: options(
      '-w -H -X -d -b -mc -ms -mr -mw -ml -fc -fs -fr -fw -fl -t',
      '-p -rate -timeout -o -of -od -e -maxtime -maxtime-job -mode -recursion-depth',
    ),
    unreadable: {
      '-config': CONFIG,
      '-request': 'the request is in a file',
      '-x': 'it connects to a proxy, too',
      '-replay-proxy': 'it connects to a proxy, too',
    },
    output: {
      unless: ['-o', '-of', '-od'],
      add: (file) => ['-o', file, '-of', 'json'],
      extension: 'json',
      from: ['-o'],
    },
  },
  feroxbuster: {
    ...PLAIN,
    targets: ['-u', '--url'],
    withValue: options(
      '-w --wordlist -o --output -t --threads -x --extensions -H --headers -d',
      '--depth -m --methods -s --status-codes -C --filter-status -a --user-agent -b',
    ),
    unreadable: {
      '--stdin': STDIN,
      '--resume-from': CONFIG,
      '--request-file': 'the request is in a file',
      '-p': 'it connects to a proxy, too',
    },
    output: { unless: [], add: () => [], extension: 'json', from: ['-o', '--output'] },
  },
  gobuster: {
    ...PLAIN,
    targets: ['-u', '--url', '-d', '--domain'],
    withValue: [
      '-w',
      '--wordlist',
      '-o',
      '--output',
      '-t',
      '--threads',
      '-x',
      '--extensions',
      '-s',
      '-b',
      '-a',
      '-H',
      '-c',
    ],
    unreadable: { '--proxy': 'it connects to a proxy, too' },
    output: { unless: [], add: () => [], extension: 'txt', from: ['-o', '--output'] },
  },
  sqlmap: {
    ...PLAIN,
    targets: ['-u', '--url'],
    withValue: options(
      '--data --cookie -p --dbms --level --risk --technique -D -T -C --threads',
      '--user-agent -H --header --headers --method --tamper --output-dir --delay --timeout',
    ),
    unreadable: {
      '-r': 'the request is in a file',
      '-l': 'the requests are in a file',
      '-m': 'the targets are in a file of another form',
      '-c': CONFIG,
      '-g': 'it takes its targets from a search engine',
      '-d': 'it connects to a database',
      '--crawl': 'it follows links',
      '--proxy': 'it connects to a proxy, too',
    },
  },
  nikto: {
    ...PLAIN,
    targets: ['-h', '-host', '-url'],
    withValue: [
      '-p',
      '-port',
      '-o',
      '-output',
      '-Format',
      '-Tuning',
      '-timeout',
      '-Plugins',
      '-id',
      '-root',
      '-useragent',
      '-maxtime',
    ],
    unreadable: { '-useproxy': 'it connects to a proxy, too', '-config': CONFIG },
    output: { unless: [], add: () => [], extension: 'json', from: ['-o', '-output'] },
  },
  'testssl.sh': {
    ...PLAIN,
    reads: 'hosts',
    positionals: 'targets',
    withValue: [
      '--jsonfile',
      '--jsonfile-pretty',
      '--logfile',
      '--csvfile',
      '--htmlfile',
      '-oJ',
      '-oj',
      '-oL',
      '--openssl',
      '-t',
      '--starttls',
      '--xmpphost',
      '--file',
      '-iL',
      '--proxy',
    ],
    targets: ['--ip'],
    unreadable: {
      '--file': 'the targets are in a file of another form',
      '-iL': STDIN,
      '--proxy': 'it connects to a proxy, too',
    },
    output: { unless: [], add: () => [], extension: 'json', from: ['--jsonfile', '-oj', '--jsonfile-pretty', '-oJ'] },
  },
  curl: {
    ...PLAIN,
    positionals: 'targets',
    clusters: 'AbcCdDeEFHmoPQrtTuUwXyYz',
    targets: ['--url', '-x', '--proxy', '--socks5', '--socks5-hostname', '--preproxy'],
    withValue: options(
      '--user-agent --cookie --cookie-jar --data --data-raw --data-binary --data-urlencode',
      '--json --form --header --output --request --user --write-out --max-time --referer',
      '--connect-timeout --cacert --cert --key --retry --upload-file --range --ciphers',
      '--config --connect-to --resolve --interface',
    ),
    unreadable: {
      '-K': CONFIG,
      '--config': CONFIG,
      '--connect-to': 'it connects to another host',
      '--resolve': 'it connects to another address',
      '--interface': 'it sends from another address',
    },
  },
  netexec: {
    ...PLAIN,
    reads: 'hosts',
    positionals: 'targets',
    leading: 1,
    mayBeFiles: true,
    withValue: ['-u', '-p', '-H', '-d', '-x', '-X', '-M', '-o', '-t', '--threads', '--timeout', '--port', '--log'],
  },
  wpscan: {
    ...PLAIN,
    targets: ['--url'],
    withValue: [
      '-o',
      '--output',
      '-f',
      '--format',
      '-e',
      '--enumerate',
      '--api-token',
      '-U',
      '-P',
      '-t',
      '--max-threads',
      '--user-agent',
    ],
    unreadable: { '--proxy': 'it connects to a proxy, too' },
    output: { unless: [], add: () => [], extension: 'json', from: ['-o', '--output'] },
  },
}

/** Names under which programs are also installed. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  testssl: 'testssl.sh',
  'httpx-toolkit': 'httpx',
  nxc: 'netexec',
}

/** Programs that start another one: its name is their first argument. */
const WRAPPERS = new Set(['sudo', 'doas', 'time', 'nice', 'proxychains', 'proxychains4'])

/** @returns the program whose targets are read, and its place in the command; undefined if it is not known */
export const findTool = (names: readonly string[]): { name: string; tool: Tool; at: number } | undefined => {
  const at = WRAPPERS.has(names[0] ?? '') ? 1 : 0
  const written = names[at] ?? ''
  const name = OTHER_NAMES[written] ?? written
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  return tool && { name, tool, at }
}
