import { Button } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useQuery } from '@tanstack/react-query'
import { messageOf, query, useApiMutation } from '../../api/api.ts'
import { paths } from '../../paths.ts'
import { useOrganization } from '../../shell/context/organization.tsx'
import { ButtonLink } from '../../shell/routing/links.tsx'
import { IconCheck } from '../../ui/page-icons.tsx'
import { toastError } from '../../ui/toasts/toast.ts'
import classes from './first-run.module.css'

type Step = Output<'getFirstRun'>['data']['steps'][number]

const STEPS: Record<Step['step'], { title: string; why: string; action: string; to: (slug: string) => string }> = {
  password: {
    title: 'Choose your password',
    why: 'Replace the password that you were given with one that only you know.',
    action: 'Change password',
    to: paths.password,
  },
  organization: {
    title: 'Name your organization',
    why: 'Its name and address are shown to everyone you work with.',
    action: 'Open settings',
    to: (slug) => `/o/${slug}/settings/general`,
  },
  people: {
    title: 'Invite your team',
    why: 'People you invite get an email with a link.',
    action: 'Invite people',
    to: (slug) => `${paths.members(slug)}?invite=true`,
  },
  engagement: {
    title: 'Create your first engagement',
    why: 'Client, dates, testing hours and team. Scope and targets follow from there.',
    action: 'Create engagement',
    to: (slug) => `${paths.engagements(slug)}?create=true`,
  },
}

/** The first steps of an account. Once each is done or skipped, nothing is shown, on no device. */
export const FirstRun = () => {
  const organization = useOrganization()
  const run = useQuery(query(organization.id, 'getFirstRun'))
  const update = useApiMutation(organization.id, 'updateFirstRun', {
    invalidates: [[organization.id, 'getFirstRun']],
    onError: (error) => toastError(messageOf(error)),
  })
  const read = run.data?.data
  if (!read || read.isFinished) return null
  const open = read.steps.filter(({ state }) => state === 'open')
  const set = (steps: readonly Step[], state: 'done' | 'skipped') =>
    update.mutate({ body: Object.fromEntries(steps.map(({ step }) => [step, state])) })
  return (
    <section className={classes.run} aria-label="First steps">
      <header className={classes.header}>
        <h2>
          First steps, {read.steps.length - open.length} of {read.steps.length} done
        </h2>
        <Button variant="subtle" size="compact-sm" onClick={() => set(open, 'skipped')}>
          Skip all
        </Button>
      </header>
      <ol className={classes.steps}>
        {read.steps.map((step) => (
          <li key={step.step} className={classes.step} data-state={step.state}>
            <span className={classes.mark} aria-hidden>
              {step.state === 'done' && <IconCheck size={14} />}
            </span>
            <div className={classes.text}>
              <strong>{STEPS[step.step].title}</strong>
              <span>{step.state === 'open' ? STEPS[step.step].why : step.state === 'done' ? 'Done' : 'Skipped'}</span>
            </div>
            {step.state === 'open' && (
              <div className={classes.actions}>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`Skip: ${STEPS[step.step].title}`}
                  onClick={() => set([step], 'skipped')}
                >
                  Skip
                </Button>
                <ButtonLink
                  size="compact-sm"
                  variant={step === open[0] ? 'filled' : 'default'}
                  to={STEPS[step.step].to(organization.slug)}
                  onClick={() => set([step], 'done')}
                >
                  {STEPS[step.step].action}
                </ButtonLink>
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
