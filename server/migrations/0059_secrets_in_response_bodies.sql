-- Where secrets of the request are in the response's body, so that findings show it masked: [[from, to], ...] in bytes, `to` is
-- exclusive. Null without a body, and for runs from before this column, whose body is not shown in findings.
alter table request_runs add column body_secrets jsonb;
