import type { TemplateSectionValue } from '@sortie/contract/reports/report-templates.ts'
import { live, text } from './sections.ts'

const en: TemplateSectionValue[] = [
  text(
    'attestation',
    'Attestation of a penetration test',
    'To whom it may concern',
    '{{organization.name}} confirms that it performed a penetration test of **{{engagement.name}}** for **{{client.name}}** between {{engagement.startsOn}} and {{engagement.endsOn}}.',
    'The test was performed by people who are independent of the development and operation of the tested systems. It combined automated tools with manual work and followed recognized methods, among them the OWASP Web Security Testing Guide and the Penetration Testing Execution Standard. Each finding was verified, assessed by severity and reported to {{client.name}} with evidence and a recommendation.',
    'The detailed results are confidential. {{client.name}} decides whether and to whom to disclose them.',
  ),
  live('scope', 'Tested systems', 'scope'),
  text(
    'validity',
    'Validity',
    'This letter describes the work that was done and the state of the tested systems at the time of the test. It is neither a guarantee that no further weaknesses exist, nor a certification of {{client.name}} or its products. It does not cover changes made after the test.',
    'Questions about this letter can be addressed to {{organization.name}}.',
    '{{report.date}}',
    '{{organization.name}}',
  ),
]

const de: TemplateSectionValue[] = [
  text(
    'attestation',
    'Bestätigung eines Penetrationstests',
    'Sehr geehrte Damen und Herren,',
    '{{organization.name}} bestätigt, zwischen dem {{engagement.startsOn}} und dem {{engagement.endsOn}} einen Penetrationstest von **{{engagement.name}}** im Auftrag von **{{client.name}}** durchgeführt zu haben.',
    'Der Test wurde von Personen durchgeführt, die von Entwicklung und Betrieb der geprüften Systeme unabhängig sind. Er verband automatisierte Werkzeuge mit manueller Arbeit und folgte anerkannten Methoden, darunter dem OWASP Web Security Testing Guide und dem Penetration Testing Execution Standard. Jede Feststellung wurde verifiziert, nach Schweregrad bewertet und {{client.name}} mit Nachweisen und einer Empfehlung berichtet.',
    'Die Ergebnisse im Einzelnen sind vertraulich. Ob und wem gegenüber sie offengelegt werden, entscheidet {{client.name}}.',
  ),
  live('scope', 'Geprüfte Systeme', 'scope'),
  text(
    'validity',
    'Gültigkeit',
    'Dieses Schreiben beschreibt die geleistete Arbeit und den Stand der geprüften Systeme zum Zeitpunkt des Tests. Es ist weder eine Garantie, dass keine weiteren Schwachstellen bestehen, noch eine Zertifizierung von {{client.name}} oder von deren Produkten. Änderungen nach dem Test sind nicht umfasst.',
    'Fragen zu diesem Schreiben beantwortet {{organization.name}}.',
    '{{report.date}}',
    '{{organization.name}}',
  ),
]

/** A letter that the client can show to others: what was tested, without results. */
export const attestationLetter = { en, de }
