-- A report whose filter leaves out some severities was no look at those.
alter table coverages add column severities smallint[];
