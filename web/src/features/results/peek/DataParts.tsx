import { Title } from '@mantine/core'
import classes from '../results.module.css'

/** A field of a result that has several texts, each with a title of its own. */
export interface DataGroup {
  title: string
  parts: readonly (readonly [title: string, text: string])[]
  /** Steps in their order; otherwise text as it is. */
  isSteps?: boolean
}

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((part) => typeof part === 'string')

/** Output of scripts, exchanges and code flows; nothing for any other field. */
export const partsOf = (name: string, value: unknown): DataGroup[] => {
  if ((name === 'scripts' || name === 'headers') && isTexts(value)) {
    const entries = Object.entries(value)
    return name === 'scripts'
      ? [{ title: 'Scripts', parts: entries }]
      : [{ title: 'Headers', parts: [['', entries.map(([header, text]) => `${header}: ${text}`).join('\n')]] }]
  }
  if (name === 'exchanges' && Array.isArray(value))
    return value.flatMap((exchange, index) => exchangeOf(exchange, index, value.length))
  if (name === 'codeFlows' && Array.isArray(value)) {
    const flows = value.filter((flow) => typeof flow === 'string')
    return [
      {
        title: 'Code flows',
        parts: flows.map((flow, index) => [flows.length > 1 ? `Flow ${index + 1}` : '', flow] as const),
        isSteps: true,
      },
    ]
  }
  return []
}

const exchangeOf = (exchange: unknown, index: number, count: number): DataGroup[] => {
  if (!isTexts(exchange)) return []
  const parts = (['request', 'response'] as const).flatMap((side) => {
    const text = exchange[side]
    return text ? [[side === 'request' ? 'Request' : 'Response', text] as const] : []
  })
  return [{ title: count > 1 ? `Exchange ${index + 1} of ${count}` : 'Exchange', parts }]
}

/** Texts of systems and tools, character by character. */
export const DataParts = ({ title, parts, isSteps = false }: DataGroup) => (
  <section aria-label={title}>
    <Title order={3} size="h5" mb={6}>
      {title}
    </Title>
    {parts.map(([name, text]) => (
      <div key={`${name} ${text}`} className={classes.part}>
        {name !== '' && (
          <Title order={4} size="h6" mb={4}>
            {name}
          </Title>
        )}
        {isSteps ? <Steps text={text} /> : <Block text={text} />}
      </div>
    ))}
  </section>
)

const Block = ({ text }: { text: string }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
  <pre className={classes.block} tabIndex={0}>
    {text}
  </pre>
)

const Steps = ({ text }: { text: string }) => (
  <ol className={classes.steps}>
    {text.split('\n').map((step, index) => {
      const [place = '', ...words] = step.split(' ')
      return (
        // oxlint-disable-next-line react/no-array-index-key -- a flow may pass a place twice
        <li key={index}>
          <code>{place}</code> {words.join(' ')}
        </li>
      )
    })}
  </ol>
)
