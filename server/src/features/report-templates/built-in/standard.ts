import type { TemplateSectionValue } from '@sortie/contract/reports/report-templates.ts'
import { hidden, live, text } from './sections.ts'

const en: TemplateSectionValue[] = [
  text(
    'management_summary',
    'Management summary',
    '{{client.name}} commissioned {{organization.name}} to test the security of {{engagement.name}}. The test took place between {{engagement.startsOn}} and {{engagement.endsOn}}. Its aim was to find weaknesses that an attacker could use, to show their effect on the business, and to recommend how to remove them.',
    'This report contains {{findings.total}} findings: {{findings.critical}} of critical severity, {{findings.high}} of high, {{findings.medium}} of medium and {{findings.low}} of low severity, and {{findings.info}} for information.',
    'We recommend correcting the findings in order of severity. Critical and high findings give an attacker a direct way to data or systems and should be corrected first, independently of the regular release cycle. The remaining findings can be corrected during planned maintenance. A retest then confirms that the corrections work.',
    'The next pages show the results at a glance. The chapter on findings describes each weakness with its effect, the evidence and our recommendation, so that the people who correct it can work without further questions.',
  ),
  live('severity_summary', 'Results at a glance', 'severity_summary'),
  live('findings_table', 'List of findings', 'findings_table'),
  text(
    'assignment',
    'Assignment',
    'The assignment was a penetration test: testers take the role of an attacker and examine the agreed systems with the methods and tools that real attackers use, within agreed limits. What may be tested, when, and from where was agreed with {{client.name}} before the start and is documented in this part.',
  ),
  live('scope', 'Scope', 'scope'),
  live('testing_window', 'Testing window', 'testing_window'),
  live('team', 'Test team', 'team'),
  live('contacts', 'Contacts', 'contacts'),
  text(
    'approach',
    'Approach',
    '### How we test',
    'We combine automated tools with manual work. Tools give breadth: they find reachable services, known vulnerabilities and weak configurations. Manual work gives depth: it finds errors in authentication, authorization and business logic, removes false alarms, and shows what an attacker gains by combining several weaknesses.',
    'The test follows these steps:',
    '1. **Preparation.** We agree on scope, times, contacts and limits, and receive accounts and documents where the test needs them.\n2. **Reconnaissance.** We list hosts, services, applications and functions within the scope.\n3. **Analysis.** We look for weaknesses, guided by recognized methods such as the OWASP Web Security Testing Guide and the Penetration Testing Execution Standard.\n4. **Verification.** We confirm each weakness by using it in a controlled way, as far as that does not endanger systems or data.\n5. **Report.** We describe each confirmed weakness with its evidence, assess it, and recommend a correction. A second person reviews the report.',
    '### How we assess',
    'The severity of a finding follows from two questions: how easily can an attacker use the weakness, and what damage results? Where it fits, we also state a score of the Common Vulnerability Scoring System (CVSS), version 3.1 or 4.0. The severity may differ from the score if the environment lowers or raises the risk; the finding then states the reason.',
    '| Severity | Meaning | Recommended time to correct |\n| --- | --- | --- |\n| Critical | An attacker gains control of systems or access to sensitive data with little effort. | Immediately |\n| High | An attacker gains extensive access, but needs a condition such as an account or the action of a user. | Within 30 days |\n| Medium | The damage is limited, or the attack needs several conditions at the same time. | Within 90 days |\n| Low | The weakness has little effect on its own, but helps with further attacks. | With the next release |\n| Info | No direct risk. The observation improves the protection in depth. | As convenient |',
  ),
  live('findings', 'Findings', 'findings'),
  text(
    'next_steps',
    'Next steps',
    'We suggest the following order:',
    '1. Assign each finding to a responsible person and agree on a date, starting with the highest severity.\n2. Correct the cause, not only the place where we showed the weakness: the same error often exists elsewhere.\n3. Ask {{organization.name}} for a retest. It confirms the corrections and documents the state for customers and auditors.\n4. Repeat the penetration test after major changes, and at least once a year.',
    'We are happy to explain the results in a meeting with management, operations and development.',
  ),
  live('coverage', 'Test coverage', 'coverage'),
  hidden('inventory', 'Hosts and services', 'inventory'),
  live('tools', 'Tools', 'tools'),
  hidden('operations', 'Log of test activities', 'operations'),
  text(
    'limits',
    'Limits of this test',
    'A penetration test shows the state of the tested systems at the time of the test. Its time and scope are limited, so it cannot prove the absence of further weaknesses. Changes after the test, and weaknesses that become known later, are not covered.',
    'This report contains confidential information about weaknesses of {{client.name}}. It is meant for the recipients that {{client.name}} names. We recommend storing it encrypted and sharing it only with people who need it for their work.',
  ),
  live('glossary', 'Glossary', 'glossary'),
]

const de: TemplateSectionValue[] = [
  text(
    'management_summary',
    'Management Summary',
    '{{client.name}} hat {{organization.name}} beauftragt, die Sicherheit von {{engagement.name}} zu prüfen. Der Test fand zwischen dem {{engagement.startsOn}} und dem {{engagement.endsOn}} statt. Ziel war es, Schwachstellen zu finden, die ein Angreifer ausnutzen könnte, ihre Auswirkungen auf das Geschäft zu zeigen und Maßnahmen zu ihrer Behebung zu empfehlen.',
    'Die Zahl der Feststellungen in diesem Bericht beträgt {{findings.total}}. Davon haben {{findings.critical}} den Schweregrad kritisch, {{findings.high}} hoch, {{findings.medium}} mittel und {{findings.low}} niedrig; {{findings.info}} dienen der Information.',
    'Wir empfehlen, die Feststellungen in der Reihenfolge ihres Schweregrads zu beheben. Kritische und hohe Feststellungen eröffnen einem Angreifer einen direkten Weg zu Daten oder Systemen und sollten zuerst und unabhängig vom regulären Release-Zyklus behoben werden. Die übrigen Feststellungen lassen sich in die geplante Wartung aufnehmen. Ein anschließender Nachtest bestätigt, dass die Maßnahmen wirken.',
    'Die folgenden Seiten zeigen die Ergebnisse im Überblick. Das Kapitel zu den Feststellungen beschreibt jede Schwachstelle mit ihrer Auswirkung, den Nachweisen und unserer Empfehlung so, dass die Verantwortlichen sie ohne Rückfragen beheben können.',
  ),
  live('severity_summary', 'Ergebnisse im Überblick', 'severity_summary'),
  live('findings_table', 'Liste der Feststellungen', 'findings_table'),
  text(
    'assignment',
    'Auftrag',
    'Gegenstand des Auftrags war ein Penetrationstest: Die Tester nehmen die Rolle eines Angreifers ein und untersuchen die vereinbarten Systeme mit den Methoden und Werkzeugen, die auch echte Angreifer einsetzen, jedoch innerhalb vereinbarter Grenzen. Was wann und von wo aus geprüft werden darf, wurde vor Beginn mit {{client.name}} abgestimmt und ist in diesem Teil dokumentiert.',
  ),
  live('scope', 'Prüfumfang', 'scope'),
  live('testing_window', 'Prüfzeitraum', 'testing_window'),
  live('team', 'Prüfteam', 'team'),
  live('contacts', 'Ansprechpersonen', 'contacts'),
  text(
    'approach',
    'Vorgehen',
    '### Wie wir prüfen',
    'Wir verbinden automatisierte Werkzeuge mit manueller Arbeit. Die Werkzeuge sorgen für Breite: Sie finden erreichbare Dienste, bekannte Schwachstellen und unsichere Konfigurationen. Die manuelle Arbeit sorgt für Tiefe: Sie findet Fehler in Authentifizierung, Autorisierung und Geschäftslogik, schließt Fehlalarme aus und zeigt, was ein Angreifer durch die Verbindung mehrerer Schwachstellen erreicht.',
    'Der Test besteht aus diesen Schritten:',
    '1. **Vorbereitung.** Wir stimmen Umfang, Zeiten, Ansprechpersonen und Grenzen ab und erhalten, soweit nötig, Zugänge und Unterlagen.\n2. **Erkundung.** Wir erfassen Systeme, Dienste, Anwendungen und Funktionen innerhalb des Umfangs.\n3. **Analyse.** Wir suchen nach Schwachstellen und orientieren uns dabei an anerkannten Methoden wie dem OWASP Web Security Testing Guide und dem Penetration Testing Execution Standard.\n4. **Verifikation.** Wir bestätigen jede Schwachstelle, indem wir sie kontrolliert ausnutzen, soweit das weder Systeme noch Daten gefährdet.\n5. **Bericht.** Wir beschreiben jede bestätigte Schwachstelle mit ihren Nachweisen, bewerten sie und empfehlen eine Maßnahme. Eine zweite Person prüft den Bericht.',
    '### Wie wir bewerten',
    'Der Schweregrad einer Feststellung ergibt sich aus zwei Fragen: Wie leicht lässt sich die Schwachstelle ausnutzen, und welcher Schaden entsteht? Wo es passt, geben wir zusätzlich einen Wert nach dem Common Vulnerability Scoring System (CVSS) in Version 3.1 oder 4.0 an. Der Schweregrad kann von diesem Wert abweichen, wenn die Umgebung das Risiko senkt oder erhöht; die Feststellung nennt dann den Grund.',
    '| Schweregrad | Bedeutung | Empfohlene Frist |\n| --- | --- | --- |\n| Kritisch | Ein Angreifer übernimmt mit geringem Aufwand die Kontrolle über Systeme oder erhält Zugriff auf sensible Daten. | Sofort |\n| Hoch | Ein Angreifer erhält weitreichenden Zugriff, benötigt dafür aber eine Voraussetzung wie ein Benutzerkonto oder die Mitwirkung eines Benutzers. | 30 Tage |\n| Mittel | Der Schaden ist begrenzt, oder der Angriff setzt mehrere Bedingungen gleichzeitig voraus. | 90 Tage |\n| Niedrig | Die Schwachstelle hat für sich genommen geringe Auswirkungen, erleichtert aber weitere Angriffe. | Mit dem nächsten Release |\n| Info | Kein unmittelbares Risiko. Die Beobachtung verbessert den Schutz in der Tiefe. | Nach Gelegenheit |',
  ),
  live('findings', 'Feststellungen', 'findings'),
  text(
    'next_steps',
    'Nächste Schritte',
    'Wir schlagen diese Reihenfolge vor:',
    '1. Weisen Sie jede Feststellung einer verantwortlichen Person zu und vereinbaren Sie einen Termin, beginnend mit dem höchsten Schweregrad.\n2. Beheben Sie die Ursache und nicht nur die Stelle, an der wir die Schwachstelle gezeigt haben: Derselbe Fehler kommt oft mehrfach vor.\n3. Beauftragen Sie {{organization.name}} mit einem Nachtest. Er bestätigt die Maßnahmen und dokumentiert den Stand für Kunden und Prüfer.\n4. Wiederholen Sie den Penetrationstest nach größeren Änderungen und mindestens einmal im Jahr.',
    'Gern erläutern wir die Ergebnisse in einem Gespräch mit Geschäftsleitung, Betrieb und Entwicklung.',
  ),
  live('coverage', 'Prüfabdeckung', 'coverage'),
  hidden('inventory', 'Systeme und Dienste', 'inventory'),
  live('tools', 'Werkzeuge', 'tools'),
  hidden('operations', 'Protokoll der Prüfhandlungen', 'operations'),
  text(
    'limits',
    'Grenzen dieses Tests',
    'Ein Penetrationstest zeigt den Stand der geprüften Systeme zum Zeitpunkt des Tests. Zeit und Umfang sind begrenzt; er kann deshalb nicht beweisen, dass keine weiteren Schwachstellen bestehen. Änderungen nach dem Test und später bekannt werdende Schwachstellen sind nicht berücksichtigt.',
    'Dieser Bericht enthält vertrauliche Informationen über Schwachstellen von {{client.name}}. Er ist für die Empfänger bestimmt, die {{client.name}} benennt. Wir empfehlen, ihn verschlüsselt aufzubewahren und nur an Personen weiterzugeben, die ihn für ihre Arbeit benötigen.',
  ),
  live('glossary', 'Glossar', 'glossary'),
]

/** The full report of a penetration test. */
export const standard = { en, de }
