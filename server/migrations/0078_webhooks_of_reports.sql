-- The delivery of a report is an event of outgoing webhooks.

create function webhook_event_of_edition() returns trigger language plpgsql as $$
begin
  perform add_webhook_event(new.organization_id, 'report.delivered', new.engagement_id, new.report_id,
    jsonb_build_object('editionId', new.id, 'number', new.number));
  return null;
end $$;
create trigger webhook_event_of_added after insert on report_editions for each row execute function webhook_event_of_edition();
