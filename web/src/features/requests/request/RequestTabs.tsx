import { Tabs } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import type { DraftForm } from '../../../forms/use-draft-form.ts'
import type { ApiRequest } from '../place.tsx'
import { AuthFields } from './fields/AuthFields.tsx'
import { BodyFields } from './fields/BodyFields.tsx'
import { NotesField } from './fields/NotesField.tsx'
import { OptionFields } from './fields/OptionFields.tsx'
import { Pairs } from './fields/Pairs.tsx'
import { TestFields } from './fields/TestFields.tsx'
import type { RequestValues } from './request-values.ts'
import classes from './request.module.css'

interface RequestTabsProps {
  form: DraftForm<RequestValues>
  request: ApiRequest
  isReadOnly: boolean
  /** The open one. */
  tab: string | null
  onTab: (tab: string | null) => void
}

const counted = (label: string, count: number): string => (count > 0 ? `${label} (${count})` : label)

/** Tabs of a request below its address. */
export const RequestTabs = ({ form, request, isReadOnly, tab, onTab }: RequestTabsProps) => {
  const { values } = form
  const set = form.setFieldValue
  const tabs: readonly (readonly [string, string, ReactNode])[] = [
    [
      'query',
      counted('Query', values.query.length),
      <Pairs key="query" noun="parameter" value={values.query} onChange={(next) => set('query', next)} />,
    ],
    [
      'headers',
      counted('Headers', values.headers.length),
      <Pairs key="headers" noun="header" value={values.headers} onChange={(next) => set('headers', next)} />,
    ],
    [
      'body',
      'Body',
      <BodyFields key="body" requestId={request.id} value={values.body} onChange={(next) => set('body', next)} />,
    ],
    [
      'auth',
      'Auth',
      <AuthFields
        key="auth"
        value={values.auth}
        secret={values.secret}
        saved={request.auth}
        onChange={(next) => set('auth', next)}
        onSecret={(next) => set('secret', next)}
      />,
    ],
    [
      'tests',
      counted('Tests', values.assertions.length + values.captures.length),
      <TestFields
        key="tests"
        assertions={values.assertions}
        captures={values.captures}
        onAssertions={(next) => set('assertions', next)}
        onCaptures={(next) => set('captures', next)}
      />,
    ],
    [
      'options',
      'Settings',
      <OptionFields key="options" value={values.options} onChange={(next) => set('options', next)} />,
    ],
    [
      'notes',
      'Notes',
      <NotesField
        key="notes"
        isReadOnly={isReadOnly}
        text={values.description}
        {...form.getInputProps('description')}
      />,
    ],
  ]
  return (
    <Tabs value={tab} onChange={onTab} keepMounted={false} className={classes.tabs}>
      <Tabs.List>
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([value, , content]) => (
        <Tabs.Panel key={value} value={value} pt="sm" onKeyDown={keepEnter}>
          <fieldset disabled={isReadOnly} className={classes.fields}>
            {content}
          </fieldset>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Plain Enter sends from the address only, not from the middle of a header. */
const keepEnter = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && event.target instanceof HTMLInputElement)
    event.preventDefault()
}
