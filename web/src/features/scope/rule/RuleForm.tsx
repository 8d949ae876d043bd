import { Textarea } from '@mantine/core'
import { ApiError } from '@sortie/client/errors.ts'
import { call } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { EFFECT_LABELS, EFFECT_OPTIONS, type Effect, type ScopeRule } from '../../../domain/verdicts.tsx'
import { PageForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Choice } from '../../../ui/fields/Choice.tsx'
import { toast } from '../../../ui/toasts/toast.ts'
import { staleAfterRules } from '../stale.ts'

const savedOf = ({ effect, note, updatedAt }: ScopeRule) => ({ values: { effect, note }, version: updatedAt })

const LABELS = { effect: { label: 'Effect', show: (effect: Effect) => EFFECT_LABELS[effect] }, note: 'Note' }

export const RuleForm = ({ rule }: { rule: ScopeRule }) => {
  const organization = useOrganization()
  const send = useSend(organization.id, 'updateScopeRule', staleAfterRules(organization.id))
  const form = useDraftForm({
    draft: `scope-rule/${rule.id}`,
    saved: savedOf(rule),
    send: (values, ifUpdatedAt) =>
      send({ params: { scopeRuleId: rule.id }, body: { ...values, ...(ifUpdatedAt && { ifUpdatedAt }) } }),
    savedBy: ({ data }) => savedOf(data),
    reread: async () => savedOf(await readRule(organization.id, rule)),
    onSaved: (_, { effect }) => toast(effect === rule.effect ? 'Saved.' : 'Saved. Targets re-evaluated.'),
  })
  return (
    <PageForm form={form} labels={LABELS} submitLabel="Save" disabled={!form.hasChanges}>
      <Choice label="Effect" data={EFFECT_OPTIONS} {...form.getInputProps('effect')} />
      <Textarea
        label="Note"
        description="Markdown: source of the rule"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={2_000}
        {...form.getInputProps('note')}
      />
    </PageForm>
  )
}

const MAX_Q = 200

/**
 * Rereads the rule. The API has no endpoint for a single rule, so this searches by pattern. @throws what `call` throws
 */
const readRule = async (organizationId: string, { id, engagementId, pattern }: ScopeRule): Promise<ScopeRule> => {
  const { data } = await call(organizationId, 'listScopeRules', {
    query: { engagementId, q: pattern.slice(0, MAX_Q), perPage: 100 },
  })
  const rule = data.find((candidate) => candidate.id === id)
  if (!rule)
    throw new ApiError({ code: 'NOT_FOUND', message: 'This rule no longer exists.', statusCode: 404 }, undefined)
  return rule
}
