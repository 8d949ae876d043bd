-- An answer about an engagement is repeated only to those who still see that engagement. No foreign key: the answer is
-- forgotten after 24 hours, whatever becomes of the engagement.
alter table idempotency_keys add column engagement_concerned text collate "C";
