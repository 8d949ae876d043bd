import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { query } from '../../../api/api.ts'
import { paths } from '../../../paths.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { QueryView } from '../../../shell/reads/QueryView.tsx'
import { PageSkeleton } from '../../../shell/reads/skeletons.tsx'
import { WithCrumbs } from '../../../shell/routing/breadcrumbs.tsx'
import { ListSkeleton } from '../../../ui/feedback/ListSkeleton.tsx'
import { lazyPart } from '../../../ui/load-part.ts'
import { Page } from '../../../ui/page/Page.tsx'
import classes from '../report-templates.module.css'
import { template as route } from '../report-templates.routes.ts'
import { type CheckOutcome, type Template, TemplateStateLabel } from '../template-words.tsx'
import { CheckPanel } from './check/CheckPanel.tsx'
import { TemplateActions, useCopyTemplate } from './TemplateActions.tsx'

const SettingsForm = lazyPart(() => import('./settings/SettingsForm.tsx'), 'SettingsForm')
const SectionsForm = lazyPart(() => import('./sections/SectionsForm.tsx'), 'SectionsForm')
const TemplateFiles = lazyPart(() => import('./files/TemplateFiles.tsx'), 'TemplateFiles')
const TypstFiles = lazyPart(() => import('./files/TypstFiles.tsx'), 'TypstFiles')

/** One template of reports: its settings, sections, files and code, with its check next to them. */
export const TemplatePage = () => {
  const organization = useOrganization()
  const { templateId } = route.useParams()
  const read = useQuery(query(organization.id, 'getReportTemplate', { params: { templateId }, query: {} }))
  return (
    <WithCrumbs crumbs={[{ label: 'Report templates', to: paths.reportTemplates(organization.slug) }]}>
      <QueryView query={read} skeleton={<PageSkeleton />}>
        {({ data }) => <Shown key={data.id} template={data} />}
      </QueryView>
    </WithCrumbs>
  )
}

const VIEWS = [
  [undefined, 'Settings'],
  ['sections', 'Sections'],
  ['files', 'Word and fonts'],
  ['typst', 'Code'],
] as const

const Shown = ({ template }: { template: Template }) => {
  const { slug } = useOrganization()
  const { view, language, file } = route.useSearch()
  const navigate = route.useNavigate()
  const [outcome, setOutcome] = useState<CheckOutcome>()
  /** Line to show in the code, and when it was chosen. */
  const [line, setLine] = useState<{ number: number; at: number }>()
  const address = paths.reportTemplate(slug, template.id)
  return (
    <Page
      title={template.name}
      documentTitle={`${template.name} · Report templates`}
      layout="list"
      actions={<TemplateActions template={template} onChecked={setOutcome} />}
    >
      <div className={classes.head}>
        <nav className={classes.views} aria-label="Views of the template">
          {VIEWS.map(([name, label]) => (
            <Link
              key={label}
              to={address}
              search={{ view: name } as never}
              className={classes.view}
              {...(view === name && { 'data-active': true, 'aria-current': 'page' as const })}
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className={classes.state}>
          <span className={classes.dimmed}>Version {template.version}</span>
          <TemplateStateLabel template={template} />
        </div>
      </div>
      {template.builtIn && <BuiltIn template={template} />}
      <div className={classes.columns}>
        <div className={classes.main}>
          <Suspense fallback={<ListSkeleton rows={8} />}>
            {view === 'sections' ? (
              <SectionsForm
                template={template}
                language={language}
                onLanguage={(next) => void navigate({ search: { view: 'sections', language: next }, replace: true })}
              />
            ) : view === 'files' ? (
              <TemplateFiles template={template} outcome={outcome} onChecked={setOutcome} />
            ) : view === 'typst' ? (
              <TypstFiles
                template={template}
                outcome={outcome}
                file={file}
                line={line}
                onFile={(next) => void navigate({ search: { view: 'typst', file: next }, replace: true })}
              />
            ) : (
              <SettingsForm template={template} />
            )}
          </Suspense>
        </div>
        <CheckPanel
          template={template}
          outcome={outcome}
          onChecked={setOutcome}
          onOpen={(wanted, number) => {
            setLine(number === null ? undefined : { number, at: Date.now() })
            void navigate({ search: { view: 'typst', file: wanted } })
          }}
        />
      </div>
    </Page>
  )
}

const BuiltIn = ({ template }: { template: Template }) => {
  const copy = useCopyTemplate(template)
  return (
    <Alert color="gray" variant="light" role="note">
      This template is built in and cannot be changed.{' '}
      <Button size="compact-sm" variant="default" ml="xs" loading={copy.isPending} onClick={copy.run}>
        Copy it
      </Button>
    </Alert>
  )
}
