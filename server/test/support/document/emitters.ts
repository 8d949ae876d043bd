import { parseSync } from 'oxc-parser'

/**
 * Functions that create an emitter of `error`, by module: a server, a socket, a thread, a program, a file stream, a
 * database connection. An emitter without a listener for `error` ends the process (S26, S31, S32).
 */
const CREATORS: Readonly<Record<string, readonly string[]>> = {
  net: ['connect', 'createConnection', 'createServer', 'Server', 'Socket'],
  tls: ['connect', 'createServer', 'Server', 'TLSSocket'],
  http: ['createServer', 'get', 'request', 'Server'],
  https: ['createServer', 'get', 'request', 'Server'],
  http2: ['connect', 'createSecureServer', 'createServer'],
  dgram: ['createSocket', 'Socket'],
  child_process: ['exec', 'execFile', 'fork', 'spawn'],
  worker_threads: ['Worker'],
  fs: ['createReadStream', 'createWriteStream', 'watch'],
  pg: ['Client', 'Pool'],
  'pg-boss': ['PgBoss'],
  ioredis: ['Redis', 'Cluster', 'default'],
  nodemailer: ['createTransport'],
  piscina: ['Piscina', 'default'],
  tinypool: ['Tinypool', 'default'],
  socks: ['SocksClient.createConnection'],
  ws: ['WebSocket', 'WebSocketServer', 'default'],
  yazl: ['ZipFile'],
}
/** Methods of the same name of an open file. */
const FILE_STREAMS = ['createReadStream', 'createWriteStream']
/** Events whose handler gets a socket, and the index of that parameter. */
const SOCKET_EVENTS: Readonly<Record<string, number>> = { connection: 0, secureConnection: 0, connect: 1, upgrade: 1 }
/** A listener for connections may instead pass the socket to a server that listens. */
const HANDED_ON = /\.emit\('connection', (\w+)\)/
const FUNCTIONS = ['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']
const WRAPPERS = [
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSInstantiationExpression',
  'ParenthesizedExpression',
  'AwaitExpression',
]

// oxlint-disable-next-line typescript/no-explicit-any -- nodes of every kind are walked
type Node = { type: string; start: number; end: number } & Record<string, any>

/** An emitter that a source creates. */
export interface Emitter {
  /** The imported name: `child_process.spawn`. */
  what: string
  line: number
  /** Why its `error` is not handled; undefined if it is. */
  problem: string | undefined
}

/** Every place of a source that creates an emitter, or gets a socket from an event. */
export const emittersIn = (file: string, text: string): Emitter[] => new Source(file, text).emitters()

class Source {
  readonly #text: string
  readonly #program: Node
  readonly #parents = new Map<Node, Node>()
  readonly #nodes: Node[] = []
  /** Local names of creators, and of modules. */
  readonly #creators = new Map<string, string>()
  readonly #modules = new Map<string, string>()

  constructor(file: string, text: string) {
    this.#text = text
    const { program, module, errors } = parseSync(file, text)
    if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`)
    this.#program = program
    for (const { moduleRequest, entries } of module.staticImports) {
      const name = moduleRequest.value.replace(/^node:/, '')
      const creators = CREATORS[name]
      if (!creators) continue
      for (const { isType, importName, localName } of entries) {
        if (isType) continue
        const kind = importName.kind as string
        const imported = kind === 'Default' ? 'default' : importName.name
        if (imported !== null && imported !== undefined && creators.includes(imported))
          this.#creators.set(localName.value, `${name}.${imported}`)
        // `pg.Client`, `SocksClient.createConnection`.
        this.#modules.set(localName.value, kind === 'Name' ? `${name}.${imported}` : name)
      }
    }
    this.#walk(this.#program)
  }

  #walk(node: Node): void {
    this.#nodes.push(node)
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeArguments' || key === 'typeAnnotation' || key === 'returnType' || key === 'typeParameters')
        continue
      for (const child of [value].flat()) {
        if (child === null || typeof child !== 'object' || typeof child.type !== 'string') continue
        if (/^TS(?:Type|Interface)/.test(child.type)) continue
        this.#parents.set(child, node)
        this.#walk(child)
      }
    }
  }

  emitters(): Emitter[] {
    return this.#nodes.flatMap((node): Emitter[] => {
      const found = this.#created(node) ?? this.#handler(node) ?? this.#reference(node)
      return found ? [{ line: this.#text.slice(0, node.start).split('\n').length, ...found }] : []
    })
  }

  /** A call that creates an emitter. */
  #created(node: Node): Omit<Emitter, 'line'> | undefined {
    if (!isCall(node)) return undefined
    if (isCall(node.callee) && nameOf(node.callee.callee) === 'promisify') return this.#promised(node)
    const what = this.#creatorOf(node.callee)
    if (what !== undefined) return { what, problem: this.#problemOf(node) ?? this.#problemOfListener(what, node) }
    if (node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'pipe')
      return { what: 'pipe', problem: this.#problemOfSource(node) }
    return undefined
  }

  #creatorOf(callee: Node): string | undefined {
    if (callee.type === 'Identifier') return this.#creators.get(callee.name)
    if (callee.type !== 'MemberExpression') return undefined
    const name = nameOf(callee.property) as string
    const module = callee.object.type === 'Identifier' ? this.#modules.get(callee.object.name) : undefined
    if (module !== undefined) {
      const [file = '', ...parts] = module.split('.')
      const whole = [...parts.filter((part) => part !== 'default'), name].join('.')
      if (CREATORS[file]?.includes(whole)) return `${file}.${whole}`
    }
    return FILE_STREAMS.includes(name) ? `FileHandle.${name}` : undefined
  }

  /** `promisify(execFile)(...)`: an error rejects its promise. It may still lack a deadline. */
  #promised({ callee, arguments: given }: Node): Omit<Emitter, 'line'> | undefined {
    const what = this.#creatorOf(callee.arguments[0])
    if (what === undefined) return undefined
    const options = (given as Node[])
      .filter(({ type }) => type === 'ObjectExpression')
      .flatMap(({ properties }) => properties as Node[])
    return {
      what,
      problem: options.some(({ key }) => key && nameOf(key) === 'timeout')
        ? undefined
        : 'has no deadline: set `timeout`',
    }
  }

  #problemOf(created: Node): string | undefined {
    let whole = created
    for (let parent = this.#parents.get(whole); parent; parent = this.#parents.get(whole)) {
      const call = this.#parents.get(parent) as Node
      if (WRAPPERS.includes(parent.type)) whole = parent
      else if (
        parent.type === 'MemberExpression' &&
        parent.object === whole &&
        isCall(call) &&
        call.callee === parent
      ) {
        if (isListener(call)) return undefined
        whole = call
      } else break
    }
    const parent = this.#parents.get(whole) as Node
    // The reader of these receives their errors.
    if (parent.type === 'YieldExpression' && parent.delegate) return undefined
    if (parent.type === 'ForOfStatement' && parent.await && parent.right === whole) return undefined
    if (isCall(parent) && parent.callee !== whole && ['pipeline', 'send'].includes(calledName(parent))) return undefined
    const kept = this.#keptAs(parent, whole)
    if (kept === undefined) return 'is not kept: nothing can listen for its errors'
    return this.#isHeard(kept, created)
      ? undefined
      : `nothing listens for errors of ${kept} in the function that creates it, before it awaits`
  }

  /** The text of the variable that it is assigned to. */
  #keptAs(parent: Node, whole: Node): string | undefined {
    if (parent.type === 'AssignmentExpression' && parent.right === whole) return this.#textOf(parent.left)
    if (parent.type !== 'VariableDeclarator') return undefined
    if (parent.id.type === 'Identifier') return parent.id.name
    // `const { socket } = await ...`
    const socket = (parent.id.properties as Node[] | undefined)?.find(({ key }) => key && nameOf(key) === 'socket')
    return socket && nameOf(socket.value)
  }

  #isHeard(name: string, created: Node): boolean {
    const within = this.#runsIn(created)
    return this.#nodes.some((node) => {
      if (
        !isListener(node) ||
        this.#textOf(receiverOf(node)) !== name ||
        node.start < created.end ||
        this.#runsIn(node) !== within
      )
        return false
      return !this.#nodes.some(
        (other) =>
          waits(other) && other.start > created.end && other.start < node.start && this.#runsIn(other) === within,
      )
    })
  }

  /** The function in which a node runs immediately; that of a promise runs where the promise is made. */
  #runsIn(node: Node): Node {
    const own = this.#functionOf(node)
    const parent = this.#parents.get(own)
    return parent?.type === 'NewExpression' && nameOf(parent.callee) === 'Promise' ? this.#functionOf(parent) : own
  }

  #functionOf(node: Node): Node {
    for (let parent = this.#parents.get(node); parent; parent = this.#parents.get(parent))
      if (FUNCTIONS.includes(parent.type)) return parent
    return this.#program
  }

  /** A server receives a function for its connections. */
  #problemOfListener(what: string, { arguments: given }: Node): string | undefined {
    if (!/^(?:net|tls)\.createServer$/.test(what)) return undefined
    const [listener] = (given as Node[]).filter(({ type }) => FUNCTIONS.includes(type))
    return listener && this.#problemOfSocket(listener, 0)
  }

  /** `server.on('connect', (request, socket) => ...)` */
  #handler(node: Node): Omit<Emitter, 'line'> | undefined {
    if (!isCall(node) || !/^(?:on|once|addListener|prependListener)$/.test(calledName(node))) return undefined
    const [event, given] = node.arguments as [Node | undefined, Node | undefined]
    const index = SOCKET_EVENTS[event?.value as string]
    if (index === undefined || !given) return undefined
    const what = `event ${event?.value}`
    const handler = FUNCTIONS.includes(given.type) ? given : this.#functionNamed(this.#textOf(given))
    if (!handler) return { what, problem: 'its handler is not written in place' }
    return handler.params.length > index ? { what, problem: this.#problemOfSocket(handler, index) } : undefined
  }

  #functionNamed(name: string): Node | undefined {
    return this.#nodes.find(
      ({ type, id, init }) => type === 'VariableDeclarator' && nameOf(id) === name && FUNCTIONS.includes(init?.type),
    )?.init
  }

  #problemOfSocket(handler: Node, index: number): string | undefined {
    const name = nameOf(handler.params[index])
    if (name === undefined) return undefined
    const isHeard = this.#nodes.some(
      (node) => isListener(node) && this.#textOf(receiverOf(node)) === name && this.#functionOf(node) === handler,
    )
    return isHeard || HANDED_ON.exec(this.#textOf(handler.body))?.[1] === name
      ? undefined
      : `nothing listens for errors of ${name} in its handler`
  }

  /** `source.pipe(target)`: errors of the source do not reach the target. */
  #problemOfSource(call: Node): string | undefined {
    const source = this.#textOf(receiverOf(call))
    const isHeard = this.#nodes.some(
      (node) =>
        isListener(node) &&
        this.#textOf(receiverOf(node)) === source &&
        this.#functionOf(node) === this.#functionOf(call),
    )
    return isHeard ? undefined : 'errors of its source reach no one: use `pipeline`'
  }

  /** A creator that is passed on, or a module of them that is loaded late: neither can be followed. */
  #reference(node: Node): Omit<Emitter, 'line'> | undefined {
    const late = node.type === 'ImportExpression' ? String(node.source.value).replace(/^node:/, '') : ''
    if (CREATORS[late]) return { what: late, problem: 'is imported late: import it where the module begins' }
    const what = node.type === 'Identifier' || node.type === 'MemberExpression' ? this.#creatorOf(node) : undefined
    const parent = this.#parents.get(node)
    if (what === undefined || what.startsWith('FileHandle.') || !parent || parent.type.startsWith('Import'))
      return undefined
    if (isCall(parent) && (parent.callee === node || nameOf(parent.callee) === 'promisify')) return undefined
    if (node.type === 'Identifier' && parent.type === 'MemberExpression') return undefined
    if (parent.type === 'Property' && parent.key === node) return undefined
    return parent.type === 'BinaryExpression'
      ? undefined
      : { what, problem: 'is handed on: call it where its errors are listened for' }
  }

  #textOf({ start, end }: Node): string {
    return this.#text.slice(start, end)
  }
}

const isCall = ({ type }: Node): boolean => type === 'CallExpression' || type === 'NewExpression'
const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' || node?.type === 'PrivateIdentifier' ? node.name : undefined
const calledName = ({ callee }: Node): string =>
  nameOf(callee.type === 'MemberExpression' ? callee.property : callee) ?? ''

/** `something.on('error', ...)`: `once` would leave the second error without a listener. */
const isListener = (node: Node): boolean =>
  isCall(node) &&
  node.callee.type === 'MemberExpression' &&
  calledName(node) === 'on' &&
  node.arguments[0]?.value === 'error'

/** The start of a chain of calls. */
const receiverOf = ({ callee }: Node): Node => {
  let receiver = callee.object as Node
  while (isCall(receiver) && receiver.callee.type === 'MemberExpression') receiver = receiver.callee.object
  return receiver
}

const waits = ({ type, await: isAwaited }: Node): boolean =>
  type === 'AwaitExpression' || type === 'YieldExpression' || (type === 'ForOfStatement' && isAwaited)
