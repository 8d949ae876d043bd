import { Button, TextInput } from '@mantine/core'
import { OPERATION_KINDS } from '@sortie/contract/inventory/operation-log.ts'
import { type FormEvent, useState } from 'react'
import { OPERATION_KIND_LABELS, type Operation } from '../../../domain/operations.ts'
import { useOnChange } from '../../../forms/use-on-change.ts'
import { DateTimeField } from '../../../ui/dates/DateField.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { fromLocalTime, toLocalTime } from '../../../ui/values/moments.ts'
import { ownTimeZone } from '../../../ui/values/time-zones.ts'
import classes from '../operations.module.css'

export interface Asked {
  address?: string | undefined
  /** UTC. */
  at?: string | undefined
  kind?: Operation['kind'] | undefined
}

/** Asks whether we sent traffic to an address at a time. */
export const Question = ({ asked, onAsk }: { asked: Asked; onAsk: (asked: Asked) => void }) => {
  const [address, setAddress] = useState(asked.address ?? '')
  const [at, setAt] = useState(asked.at ? toLocalTime(asked.at) : '')
  useOnChange(asked, () => {
    setAddress(asked.address ?? '')
    setAt(asked.at ? toLocalTime(asked.at) : '')
  })
  const ask = (event: FormEvent) => {
    event.preventDefault()
    onAsk({ ...asked, address: address.trim() || undefined, at: at === '' ? undefined : fromLocalTime(at) })
  }
  const isAsked = asked.address !== undefined || asked.at !== undefined || asked.kind !== undefined
  return (
    <form className={classes.question} onSubmit={ask} role="search" aria-label="Was that us?">
      <TextInput
        label="Address, name or network"
        placeholder="203.0.113.5"
        maxLength={253}
        spellCheck={false}
        autoComplete="off"
        value={address}
        onChange={({ currentTarget }) => setAddress(currentTarget.value)}
      />
      <DateTimeField label={`At, give or take a minute (${ownTimeZone()})`} value={at} onChange={setAt} />
      <Choice
        label="Via"
        value={asked.kind ?? ''}
        onChange={(chosen) => onAsk({ ...asked, kind: OPERATION_KINDS.find((kind) => kind === chosen) })}
        data={[
          { value: '', label: 'Anything' },
          ...OPERATION_KINDS.map((kind) => ({ value: kind, label: OPERATION_KIND_LABELS[kind] })),
        ]}
      />
      <Button type="submit" size="sm" variant="default">
        Was that us?
      </Button>
      {isAsked && (
        <Button variant="default" size="sm" onClick={() => onAsk({})}>
          Show all
        </Button>
      )}
    </form>
  )
}
