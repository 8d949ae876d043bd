import { Button, Group, Stack, Text } from '@mantine/core'
import { messageOf, useApiMutation } from '../../api/api.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { StatusLabel, type Tone } from '../../ui/feedback/StatusLabel.tsx'
import { Section } from '../../ui/page/Page.tsx'
import { toast, toastError } from '../../ui/toasts/toast.ts'
import { TimeAgo } from '../../ui/values/TimeAgo.tsx'
import { DnsRecord } from './DnsRecord.tsx'
import type { Domain } from './domain.ts'

interface State {
  tone: Tone
  word: string
  /** Meaning and next step. */
  text: string
}

export const DomainSection = ({ domain, onRemove }: { domain: Domain; onRemove: () => void }) => {
  const organization = useOrganization()
  const check = useApiMutation(organization.id, 'checkDomain', {
    invalidates: [[organization.id, 'listDomains']],
    onSuccess: ({ data }) =>
      data.checkResult === 'found'
        ? toast(`${data.domain} is verified.`)
        : toastError(`${data.domain}: ${stateOf(data).word}.`),
    onError: (error) => toastError(messageOf(error)),
  })
  const state = stateOf(domain)
  return (
    <Section
      title={domain.domain}
      actions={
        <>
          <Button
            variant="default"
            aria-label={`Check now: ${domain.domain}`}
            loading={check.isPending}
            onClick={() => check.mutate({ params: { domainId: domain.id } })}
          >
            Check now
          </Button>
          <Button variant="default" aria-label={`Remove ${domain.domain}`} onClick={onRemove}>
            Remove
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <Group gap="md" fz="sm">
          <StatusLabel tone={state.tone}>{state.word}</StatusLabel>
          <Text size="xs" c="dimmed">
            Last check: <TimeAgo iso={domain.checkedAt} />
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {state.text}
        </Text>
      </Stack>
      <DnsRecord name={domain.recordName} value={domain.recordValue} />
    </Section>
  )
}

const CHECKED_DAILY = 'Leave the record in place: it is checked once a day.'

const stateOf = ({ proved, contested, checkResult }: Domain): State => {
  if (contested) {
    return {
      tone: 'warn',
      word: 'Verified twice',
      text: 'Another organization of this server has verified it too, so no one can join by it. To settle this, remove the record of the other organization from its DNS.',
    }
  }
  if (proved && checkResult === 'unanswered') {
    return {
      tone: 'good',
      word: 'Verified',
      text: 'The name servers did not answer the last check. The verification lasts for 90 days after the record was last found.',
    }
  }
  if (proved) return { tone: 'good', word: 'Verified', text: CHECKED_DAILY }
  if (checkResult === 'missing') {
    return {
      tone: 'bad',
      word: 'Record not found',
      text: 'Compare name and value with your DNS. A new record can take an hour to appear; providers often add the domain to the name themselves.',
    }
  }
  if (checkResult === 'unanswered')
    return { tone: 'warn', word: 'Name servers did not answer', text: 'The result is unknown. Try again in a while.' }
  return { tone: 'quiet', word: 'Not checked yet', text: 'Add this record to the DNS of the domain, then check.' }
}
