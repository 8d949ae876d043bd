import type { TemplateSectionValue } from '@sortie/contract/reports/report-templates.ts'
import { live, text } from './sections.ts'

const en: TemplateSectionValue[] = [
  text(
    'summary',
    'Summary',
    '{{organization.name}} tested the security of {{engagement.name}} for {{client.name}} between {{engagement.startsOn}} and {{engagement.endsOn}}. This document summarizes the results for management. The full report describes every weakness with evidence and recommendations.',
    'The test recorded {{findings.total}} findings: {{findings.critical}} critical, {{findings.high}} high, {{findings.medium}} medium and {{findings.low}} low, and {{findings.info}} for information.',
  ),
  live('severity_summary', 'Results at a glance', 'severity_summary'),
  text(
    'meaning',
    'What the results mean',
    'Critical and high findings give an attacker a direct way to data or systems. They call for a decision and for people who have the time to act. Medium and low findings make attacks easier or increase their damage; they belong in the regular maintenance plan.',
    'The severity states how easily a weakness can be used and what damage results. It does not state how likely an attack is: that also depends on who has an interest in {{client.name}} and on measures outside of the tested systems.',
  ),
  live('findings_table', 'Findings by severity', 'findings_table'),
  text(
    'decisions',
    'What we ask management to decide',
    '1. **Responsibility.** Name one person who follows the correction of all findings and reports on it.\n2. **Dates.** Set a date for each critical and high finding. We recommend starting with critical findings at once, and correcting high findings within 30 days.\n3. **Accepted risks.** If a finding is not to be corrected, record the reason and who accepts the risk, and review the decision once a year.\n4. **Confirmation.** Plan a retest, so that customers and auditors can rely on the corrections.',
  ),
  live('scope', 'What was tested', 'scope'),
  text(
    'limits',
    'About this document',
    'A penetration test shows the state of the tested systems at the time of the test and cannot prove the absence of further weaknesses. This document is confidential: it is meant for the management of {{client.name}} and the people that it names.',
  ),
]

const de: TemplateSectionValue[] = [
  text(
    'summary',
    'Zusammenfassung',
    '{{organization.name}} hat die Sicherheit von {{engagement.name}} zwischen dem {{engagement.startsOn}} und dem {{engagement.endsOn}} im Auftrag von {{client.name}} geprüft. Dieses Dokument fasst die Ergebnisse für die Geschäftsleitung zusammen. Der ausführliche Bericht beschreibt jede Schwachstelle mit Nachweisen und Empfehlungen.',
    'Die Zahl der Feststellungen beträgt {{findings.total}}: {{findings.critical}} kritisch, {{findings.high}} hoch, {{findings.medium}} mittel, {{findings.low}} niedrig und {{findings.info}} zur Information.',
  ),
  live('severity_summary', 'Ergebnisse im Überblick', 'severity_summary'),
  text(
    'meaning',
    'Was die Ergebnisse bedeuten',
    'Kritische und hohe Feststellungen eröffnen einem Angreifer einen direkten Weg zu Daten oder Systemen. Sie erfordern eine Entscheidung und Menschen, die Zeit für die Behebung haben. Mittlere und niedrige Feststellungen erleichtern Angriffe oder vergrößern deren Schaden; sie gehören in die regelmäßige Wartung.',
    'Der Schweregrad sagt aus, wie leicht sich eine Schwachstelle ausnutzen lässt und welcher Schaden entsteht. Er sagt nicht aus, wie wahrscheinlich ein Angriff ist: Das hängt auch davon ab, wer ein Interesse an {{client.name}} hat, und von Maßnahmen außerhalb der geprüften Systeme.',
  ),
  live('findings_table', 'Feststellungen nach Schweregrad', 'findings_table'),
  text(
    'decisions',
    'Worüber die Geschäftsleitung entscheiden sollte',
    '1. **Verantwortung.** Benennen Sie eine Person, die die Behebung aller Feststellungen verfolgt und darüber berichtet.\n2. **Termine.** Legen Sie für jede kritische und hohe Feststellung einen Termin fest. Wir empfehlen, kritische Feststellungen sofort und hohe innerhalb von 30 Tagen zu beheben.\n3. **Akzeptierte Risiken.** Soll eine Feststellung nicht behoben werden, halten Sie fest, aus welchem Grund und wer das Risiko trägt, und überprüfen Sie die Entscheidung jährlich.\n4. **Bestätigung.** Planen Sie einen Nachtest, damit sich Kunden und Prüfer auf die Behebung verlassen können.',
  ),
  live('scope', 'Was geprüft wurde', 'scope'),
  text(
    'limits',
    'Zu diesem Dokument',
    'Ein Penetrationstest zeigt den Stand der geprüften Systeme zum Zeitpunkt des Tests und kann nicht beweisen, dass keine weiteren Schwachstellen bestehen. Dieses Dokument ist vertraulich: Es ist für die Geschäftsleitung von {{client.name}} und die von ihr benannten Personen bestimmt.',
  ),
]

/** A few pages for the management of the client. */
export const executiveSummary = { en, de }
