import { Input, Text } from '@mantine/core'
import { TextValue } from '../../../shell/fields/custom/CustomFields.tsx'
import { toastError } from '../../../ui/toasts/toast.ts'
import type { Entry } from '../entries.tsx'

interface RulesProps {
  rules: Entry['rules']
  onChange: (rules: Entry['rules']) => void
}

/** The rules of tools whose results an entry describes, by tool. */
export const RuleList = ({ rules }: { rules: Entry['rules'] }) => (
  <Input.Wrapper label="Rules of tools" labelElement="div">
    {rules.length === 0 && (
      <Text size="sm" c="dimmed">
        None.
      </Text>
    )}
    {[...Map.groupBy(rules, ({ tool }) => tool)].map(([tool, of]) => (
      <Text key={tool} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {tool}: <span className="mono">{of.map(({ ruleId }) => ruleId).join(', ')}</span>
      </Text>
    ))}
  </Input.Wrapper>
)

/** The same as a field: one rule per line, the tool first. */
export const Rules = ({ rules, onChange }: RulesProps) => {
  const take = (text: string) => {
    const lines = text.split('\n').flatMap((line) => line.trim() || [])
    const wrong = lines.find((line) => !/^\S+\s+\S/.test(line))
    if (wrong !== undefined) toastError(`"${wrong}" has no rule. Write the tool and the rule: nuclei tls-version.`)
    else
      onChange(lines.map((line) => ({ tool: line.split(/\s/, 1)[0] as string, ruleId: line.replace(/^\S+\s+/, '') })))
  }
  return (
    <TextValue
      area
      label="Rules of tools"
      description="One per line; * at the end matches any ending."
      placeholder="nuclei deprecated-tls*"
      value={rules.map(({ tool, ruleId }) => `${tool} ${ruleId}`).join('\n')}
      onTake={take}
    />
  )
}
