import type { TemplateSectionValue } from '@sortie/contract/reports/report-templates.ts'
import { live, text } from './sections.ts'

const en: TemplateSectionValue[] = [
  text(
    'summary',
    'Summary',
    '{{organization.name}} retested findings of {{engagement.name}} for {{client.name}}. A retest examines whether the corrections of known findings work. It does not look for new weaknesses; one that we come across is reported nevertheless.',
    'The table shows the state of each finding before and after the retest. *Fixed* means that we could no longer use the weakness, and found no way around the correction. *Partly fixed* means that the correction works at some of the affected places or against some attacks only. *Open* means that the weakness can still be used.',
  ),
  live('retest', 'Results of the retest', 'retest'),
  live('severity_summary', 'Findings at a glance', 'severity_summary'),
  text(
    'approach',
    'Approach',
    'For each finding we repeated the steps that had shown the weakness, with the same accounts and tools where possible. We then varied the attack, to see whether the correction removes the cause or only stops the one attack that the report describes. Where a correction applies to several places, we examined all of them, or a sample that the finding names.',
  ),
  live('scope', 'Scope', 'scope'),
  live('testing_window', 'Testing window', 'testing_window'),
  live('findings', 'Findings in detail', 'findings'),
  text(
    'next_steps',
    'Next steps',
    'Findings that are fixed can be closed. For findings that are open or partly fixed, we recommend agreeing on a new date and planning another retest. If a risk is accepted instead, record the reason and who accepts it.',
  ),
  live('team', 'Test team', 'team'),
  text(
    'limits',
    'Limits of this retest',
    'The results describe the state of the systems at the time of the retest. Later changes can open a weakness again. This document is confidential and meant for the recipients that {{client.name}} names.',
  ),
]

const de: TemplateSectionValue[] = [
  text(
    'summary',
    'Zusammenfassung',
    '{{organization.name}} hat im Auftrag von {{client.name}} Feststellungen aus {{engagement.name}} nachgeprüft. Ein Nachtest untersucht, ob die Maßnahmen zu bekannten Feststellungen wirken. Er sucht nicht nach neuen Schwachstellen; fällt uns dennoch eine auf, berichten wir sie.',
    'Die Tabelle zeigt den Stand jeder Feststellung vor und nach dem Nachtest. *Behoben* bedeutet, dass wir die Schwachstelle nicht mehr ausnutzen konnten und keinen Weg gefunden haben, die Maßnahme zu umgehen. *Teilweise behoben* bedeutet, dass die Maßnahme nur an einigen betroffenen Stellen oder nur gegen einige Angriffe wirkt. *Offen* bedeutet, dass sich die Schwachstelle weiterhin ausnutzen lässt.',
  ),
  live('retest', 'Ergebnisse des Nachtests', 'retest'),
  live('severity_summary', 'Feststellungen im Überblick', 'severity_summary'),
  text(
    'approach',
    'Vorgehen',
    'Zu jeder Feststellung haben wir die Schritte wiederholt, mit denen sich die Schwachstelle zeigen ließ, nach Möglichkeit mit denselben Zugängen und Werkzeugen. Anschließend haben wir den Angriff abgewandelt, um zu sehen, ob die Maßnahme die Ursache beseitigt oder nur den einen beschriebenen Angriff verhindert. Betrifft eine Maßnahme mehrere Stellen, haben wir alle geprüft oder eine Stichprobe, die bei der Feststellung genannt ist.',
  ),
  live('scope', 'Prüfumfang', 'scope'),
  live('testing_window', 'Prüfzeitraum', 'testing_window'),
  live('findings', 'Feststellungen im Einzelnen', 'findings'),
  text(
    'next_steps',
    'Nächste Schritte',
    'Behobene Feststellungen können geschlossen werden. Für offene und teilweise behobene Feststellungen empfehlen wir, einen neuen Termin zu vereinbaren und einen weiteren Nachtest zu planen. Wird ein Risiko stattdessen akzeptiert, halten Sie den Grund fest und wer es trägt.',
  ),
  live('team', 'Prüfteam', 'team'),
  text(
    'limits',
    'Grenzen dieses Nachtests',
    'Die Ergebnisse beschreiben den Stand der Systeme zum Zeitpunkt des Nachtests. Spätere Änderungen können eine Schwachstelle erneut öffnen. Dieses Dokument ist vertraulich und für die Empfänger bestimmt, die {{client.name}} benennt.',
  ),
]

/** What became of known findings. */
export const retest = { en, de }
