import type { CountedWindow } from '../http/window-batch.ts'
import type { Assignment, ToProcess, ToSupervisor } from './messages.ts'

/** Time in which the supervisor, on the same machine, answers whatever it is asked. */
const ANSWER_TIMEOUT_MS = 1_500

/** How a process of several talks to the one that supervises it. */
export interface SupervisorLink {
  /** Says hello. @returns what this process is to do */
  begin(): Promise<Assignment>
  ready(port: number, isFirstStart: boolean): void
  /** Resolves when the message is on its way: the process may end then. */
  refuse(lines: readonly string[]): Promise<void>
  /** Counts in windows that all processes of this server share. */
  count(additions: (readonly [bucket: string, add: number])[]): Promise<CountedWindow[]>
  /** What all processes of this server measured, this one included, each in the text format of Prometheus. */
  collectMetrics(): Promise<string[]>
  /** How this process answers when others collect. */
  onMetrics(render: () => Promise<string>): void
  onRetire(retire: () => void): void
}

export const linkToSupervisor = (): SupervisorLink => {
  const asked = new Map<number, (message: ToProcess) => void>()
  let nextId = 0
  let assign: (assignment: Assignment) => void = () => undefined
  const assignment = new Promise<Assignment>((resolve) => {
    assign = resolve
  })
  let render = async () => ''
  let retire = () => undefined as void

  const send = (message: ToSupervisor) =>
    new Promise<void>((resolve) => {
      // A supervisor that is gone hears nothing; its processes end by themselves.
      process.send?.(message, undefined, undefined, () => resolve())
    })
  const ask = (message: (id: number) => ToSupervisor) =>
    new Promise<ToProcess>((resolve, reject) => {
      const id = nextId++
      const timer = setTimeout(() => {
        asked.delete(id)
        reject(new Error('the supervising process did not answer'))
      }, ANSWER_TIMEOUT_MS)
      asked.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      void send(message(id))
    })
  const answered = (id: number, message: ToProcess) => {
    asked.get(id)?.(message)
    asked.delete(id)
  }

  process.on('message', (message: ToProcess) => {
    if (message.kind === 'begin') assign(message.assignment)
    else if (message.kind === 'retire') retire()
    else if (message.kind === 'tell metrics') void render().then((text) => send({ kind: 'told metrics', id: message.id, text }))
    else answered(message.id, message)
  })

  return {
    begin: async () => {
      await send({ kind: 'hello' })
      return assignment
    },
    ready: (port, isFirstStart) => void send({ kind: 'ready', port, isFirstStart }),
    refuse: (lines) => send({ kind: 'refused', lines }),
    count: async (additions) => {
      const answer = await ask((id) => ({ kind: 'count', id, additions: [...additions] }))
      return answer.kind === 'counted' ? answer.windows : []
    },
    collectMetrics: async () => {
      const answer = await ask((id) => ({ kind: 'collect metrics', id }))
      return answer.kind === 'metrics' ? answer.texts : []
    },
    onMetrics: (how) => {
      render = how
    },
    onRetire: (how) => {
      retire = how
    },
  }
}
