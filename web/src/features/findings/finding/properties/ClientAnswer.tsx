import { TextValue } from '../../../../shell/fields/custom/CustomFields.tsx'
import { DateField } from '../../../../ui/dates/DateField.tsx'
import { Choice } from '../../../../ui/fields/Choice.tsx'
import { optionsOf } from '../../../../ui/values/options-of.ts'
import { CLIENT_STATE_LABELS, type ClientState, type Finding } from '../../labels.ts'
import type { useSetFinding } from '../../use-set-finding.ts'

interface ClientAnswerProps {
  finding: Finding
  set: ReturnType<typeof useSetFinding>['set']
  disabled: boolean
}

/** What the client says about the finding, as a member notes it. */
export const ClientAnswer = ({ finding, set, disabled }: ClientAnswerProps) => {
  const answer = finding.clientStatus
  const change = (next: { state?: ClientState; until?: string | null; reason?: string }) => {
    const { state, until, reason } = { state: 'planned' as ClientState, until: null, reason: '', ...answer, ...next }
    set(
      { clientStatus: { state, until, reason } },
      { clientStatus: { by: null, at: new Date().toISOString(), state, until, reason } },
    )
  }
  return (
    <>
      <Choice
        label="Answer of the client"
        data={[{ value: '', label: 'None' }, ...optionsOf(CLIENT_STATE_LABELS)]}
        value={answer?.state ?? ''}
        disabled={disabled}
        onChange={(value) => (value === '' ? set({ clientStatus: null }) : change({ state: value }))}
      />
      {answer && (
        <>
          {(answer.state === 'planned' || answer.state === 'accepted') && (
            <DateField
              savesEach
              label="Until"
              value={answer.until}
              disabled={disabled}
              onChange={(until) => change({ until: until || null })}
            />
          )}
          <TextValue
            label="Reason of the client"
            maxLength={500}
            value={answer.reason}
            disabled={disabled}
            onTake={(reason) => change({ reason })}
          />
        </>
      )}
    </>
  )
}
