import { entry } from '../entry.ts'

export const cloudLoggingDisabled = entry({
  key: 'cloud-logging-disabled',
  severity: 'low',
  cvssVector: 'CVSS:3.1/AV:N/AC:H/PR:L/UI:N/S:U/C:N/I:L/A:N',
  cwe: ['CWE-778'],
  owasp: ['A09:2021', 'A09:2025'],
  wstg: [],
  attack: [],
  tags: ['cloud', 'logging'],
  rules: {
    nuclei: ['cloudtrail-disabled', 'cloudtrail-global-disabled', 'cloudtrail-mgmt-events', 'cloudtrail-log-integrity'],
  },
  references: [
    'https://docs.aws.amazon.com/awscloudtrail/latest/userguide/best-practices-security.html',
    'https://learn.microsoft.com/en-us/azure/azure-monitor/platform/activity-log',
    'https://cloud.google.com/logging/docs/audit/best-practices',
    'https://cwe.mitre.org/data/definitions/778.html',
  ],
  guidance: [
    '- An organization-wide trail can cover an account without a trail of its own. Ask before you report.',
    '- Check all regions, global services, retention, and whether administrators of the account can delete the logs.',
    '- Ask what happens to the logs: logs that no one evaluates, and alarms that reach no one, are part of the finding.',
  ],
  en: {
    title: 'Cloud activity is not fully logged',
    summary:
      'Administrative actions in the cloud environment are not fully recorded, or the records are not protected. Attacks cannot be detected or investigated.',
    description: [
      'The provider can record who did what and when. In the affected accounts or projects, logging is switched off or limited to some regions, the records are kept too briefly, or the records can be changed by the same administrators whose actions they contain. The evidence shows the settings.',
    ],
    impact: [
      'The organization notices misuse of identities late or not at all. After an incident, it cannot determine which data and systems are affected. Attackers with administrative rights can remove their traces.',
    ],
    reproduction: [
      '1. Display the settings, for example with `aws cloudtrail describe-trails` and `aws cloudtrail get-trail-status --name NAME`.',
      '2. They match the evidence.',
    ],
    recommendation: [
      '- Switch on logging of administrative actions for all accounts, regions and global services, preferably centrally for the organization.',
      '- Store the logs in a separate account with its own administrators, protect them against deletion (Object Lock, immutable storage), and keep them for at least one year.',
      '- Also record access to particularly confidential data.',
      '- Evaluate the logs, and raise an alarm for critical actions: sign-in of the root user, changes of permissions, creation of keys, switching off of logging. Test the alarms.',
    ],
  },
  de: {
    title: 'Aktivitäten in der Cloud werden nicht vollständig protokolliert',
    summary:
      'Administrative Aktionen in der Cloud-Umgebung werden nicht vollständig aufgezeichnet oder nicht geschützt. Angriffe lassen sich nicht erkennen und aufklären.',
    description: [
      'Der Anbieter kann aufzeichnen, wer wann welche Aktion ausgeführt hat. In den betroffenen Konten oder Projekten ist das abgeschaltet oder auf einzelne Regionen beschränkt, die Aufzeichnungen werden zu kurz aufbewahrt, oder sie lassen sich von denselben Administratoren ändern, deren Aktionen sie enthalten. Der Nachweis zeigt die Einstellungen.',
    ],
    impact: [
      'Die Organisation bemerkt den Missbrauch von Identitäten nicht oder spät. Nach einem Vorfall lässt sich nicht feststellen, welche Daten und Systeme betroffen sind. Angreifer mit administrativen Rechten können ihre Spuren beseitigen.',
    ],
    reproduction: [
      '1. Zeigen Sie die Einstellungen an, zum Beispiel mit `aws cloudtrail describe-trails` und `aws cloudtrail get-trail-status --name NAME`.',
      '2. Sie entsprechen dem Nachweis.',
    ],
    recommendation: [
      '- Schalten Sie die Protokollierung administrativer Aktionen für alle Konten, Regionen und globalen Dienste ein, am besten zentral für die Organisation.',
      '- Speichern Sie die Protokolle in einem getrennten Konto mit eigenen Administratoren, schützen Sie sie gegen Löschen (Object Lock, unveränderlicher Speicher) und bewahren Sie sie mindestens ein Jahr auf.',
      '- Zeichnen Sie auch Zugriffe auf besonders vertrauliche Daten auf.',
      '- Werten Sie die Protokolle aus und alarmieren Sie bei kritischen Aktionen: Anmeldung des Root-Benutzers, Änderung von Berechtigungen, Anlegen von Schlüsseln, Abschalten der Protokollierung. Testen Sie die Alarme.',
    ],
  },
})
