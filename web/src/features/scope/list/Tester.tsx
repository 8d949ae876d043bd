import { Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { asMeant, sendable } from '@sortie/contract/core/pasted-lines.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, query } from '../../../api/api.ts'
import { VerdictLabel } from '../../../domain/verdicts.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { IconHelpCircle } from '../../../ui/page-icons.tsx'
import { capitalised } from '../../../ui/text/capitalised.ts'
import classes from '../scope.module.css'

interface TesterProps {
  engagementId: string
  /** Opens the rule that decided. */
  onRule: (scopeRuleId: string) => void
}

const PAUSE_MS = 250

/** "Is 10.0.0.7 in scope, and why?" Checked while the user types; nothing is stored. */
export const Tester = ({ engagementId, onRule }: TesterProps) => {
  const organization = useOrganization()
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text.trim(), PAUSE_MS)
  const judged = useQuery({
    ...query(organization.id, 'checkScope', { body: { engagementId, values: [sendable(asMeant(settled))] } }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  })
  const answer = settled === '' || text.trim() === '' ? undefined : judged.data?.data[0]
  const ruleId = answer?.scopeRuleId
  return (
    <div className={classes.tester}>
      <TextInput
        aria-label="Is this in scope?"
        placeholder="Is this in scope? 10.0.0.7, shop.contoso.example:8443, https://…"
        leftSection={<IconHelpCircle size={16} aria-hidden />}
        value={text}
        maxLength={4_096}
        onChange={(event) => setText(event.currentTarget.value)}
        spellCheck={false}
        autoComplete="off"
        className={classes.question}
      />
      <div className={classes.answer} role="status" aria-label="Answer" aria-busy={judged.isPlaceholderData}>
        {answer && (
          <>
            <VerdictLabel verdict={answer.verdict} />
            <span className={classes.reason}>
              {answer.canonical && answer.canonical !== settled
                ? `${answer.canonical}: ${answer.reason}`
                : capitalised(answer.reason)}
            </span>
            {ruleId && (
              <button type="button" className={classes.ruleLink} onClick={() => onRule(ruleId)}>
                Show the rule
              </button>
            )}
          </>
        )}
        {!answer && judged.error && settled !== '' && (
          <Text size="sm" c="var(--mantine-color-error)">
            {messageOf(judged.error)}
          </Text>
        )}
      </div>
    </div>
  )
}
