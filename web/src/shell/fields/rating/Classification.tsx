import { Button, TagsInput } from '@mantine/core'
import { useState } from 'react'

type Name = 'cwe' | 'cve' | 'owasp' | 'wstg' | 'attack'
/** Ids by catalogue; a catalogue that the object does not have is absent. */
type ClassifiedObject = { readonly [N in Name]?: readonly string[] }

interface ClassificationProps {
  values: ClassifiedObject
  onChange: (change: { [N in Name]?: string[] }) => void
  disabled: boolean
}

interface Kind {
  name: Name
  label: string
  /** As the contract has it. */
  pattern: RegExp
  example: string
}

const ALWAYS: readonly Kind[] = [
  { name: 'cwe', label: 'CWE', pattern: /^CWE-[1-9]\d{0,6}$/, example: 'CWE-89' },
  { name: 'cve', label: 'CVE', pattern: /^CVE-\d{4}-\d{4,10}$/, example: 'CVE-2026-1234' },
]
const RARE: readonly Kind[] = [
  { name: 'owasp', label: 'OWASP', pattern: /^[A-Z]{1,4}\d{1,2}:\d{4}$/, example: 'A03:2021' },
  { name: 'wstg', label: 'WSTG', pattern: /^WSTG-[A-Z]{4}-\d{2}$/, example: 'WSTG-INPV-05' },
  { name: 'attack', label: 'ATT&CK', pattern: /^T\d{4}(?:\.\d{3})?$/, example: 'T1059.001' },
]

/** Ids of public catalogues. Those that are rarely used are shown once they have a value, or on demand. */
export const Classification = (props: ClassificationProps) => {
  const [showsAll, setShowsAll] = useState(false)
  const { values } = props
  const has = ({ name }: Kind) => values[name] !== undefined
  const shown = [...ALWAYS.filter(has), ...RARE.filter(({ name }) => showsAll || (values[name] ?? []).length > 0)]
  return (
    <>
      {shown.map((kind) => (
        <Ids key={kind.name} kind={kind} {...props} />
      ))}
      {!props.disabled && RARE.some((kind) => !shown.includes(kind)) && (
        <div>
          <Button variant="subtle" size="compact-sm" onClick={() => setShowsAll(true)}>
            Add OWASP, WSTG or ATT&CK
          </Button>
        </div>
      )}
    </>
  )
}

const Ids = ({
  kind: { name, label, pattern, example },
  values,
  onChange,
  disabled,
}: ClassificationProps & { kind: Kind }) => {
  const ids = [...(values[name] ?? [])]
  const [refused, setRefused] = useState('')
  const take = (typed: string[]) => {
    const wanted = [...new Set(typed.map((id) => withPrefix(id.trim().toUpperCase(), name)))]
    const wrong = wanted.find((id) => !pattern.test(id))
    setRefused(wrong === undefined ? '' : `Write it as ${example}.`)
    if (wrong === undefined) onChange({ [name]: wanted })
  }
  return (
    <TagsInput
      label={label}
      {...(ids.length === 0 && { placeholder: example })}
      value={ids}
      maxTags={50}
      splitChars={[',', ' ']}
      disabled={disabled}
      error={refused}
      onChange={take}
    />
  )
}

/** `89` is `CWE-89`. */
const withPrefix = (id: string, name: Kind['name']): string => {
  if (name === 'cwe' && /^\d+$/.test(id)) return `CWE-${id}`
  return name === 'cve' && /^\d{4}-\d+$/.test(id) ? `CVE-${id}` : id
}
