/** The schedules of one automation: when it runs by itself, next and last time, on and off. */
import { useState } from "preact/hooks";

import { said } from "../../api/http";
import { useLoad } from "../../api/load";
import { t } from "../../i18n";
import { go } from "../../router";
import { toast } from "../../stores/toasts";
import { Button, Card, Empty, IconButton, Shown, Switch } from "../../ui/kit";
import { useReload } from "../../ui/poll";
import { ago, fullTime } from "../../ui/time";
import { runAddress, type Kind } from "./api";
import { RunBadge } from "./run";
import { bodyOf, deleteSchedule, loadSchedules, runSchedule, saveSchedule, timeInWords, type Schedule } from "./schedule-api";
import { ScheduleForm } from "./schedule-form";

const LOOK_MS = 10_000;

export function Schedules({ kind, name, input, onRun }: {
  kind: Kind; name: string;
  /** What it wants to be told; null: nothing. */
  input: string | null; onRun: () => void;
}) {
  const schedules = useLoad((signal) => loadSchedules(kind, name, signal), [kind, name]);
  useReload(schedules, LOOK_MS);
  const [editing, edit] = useState<string | null>(null);
  const done = () => { edit(null); schedules.reload(); };
  return (
    <Card title={t("Schedules")} class="flow-schedules" actions={editing === null ? <Button needs="workspace.write" kind="quiet" icon="plus" onClick={() => edit("")}>{t("Add schedule")}</Button> : null}>
      {editing === "" ? <ScheduleForm kind={kind} name={name} input={input} schedule={null} onDone={done} onCancel={() => edit(null)} /> : null}
      <Shown of={schedules}>
        {(found) => found.length ? (
          <ul class="flow-schedule-list">
            {found.map((each) => (
              <li key={each.id}>
                {editing === each.id
                  ? <ScheduleForm kind={kind} name={name} input={input} schedule={each} onDone={done} onCancel={() => edit(null)} />
                  : <One schedule={each} onEdit={() => edit(each.id)} onChange={schedules.reload} onRun={onRun} />}
              </li>
            ))}
          </ul>
        ) : editing === null ? <Empty icon="clock" title={t("Not scheduled")}>{t("Run it at fixed times or around calendar events.")}</Empty> : null}
      </Shown>
    </Card>
  );
}

function One({ schedule, onEdit, onChange, onRun }: { schedule: Schedule; onEdit: () => void; onChange: () => void; onRun: () => void }) {
  const [busy, set] = useState(false);
  const act = async (work: () => Promise<unknown>) => {
    set(true);
    try {
      await work();
    } catch (error) {
      toast(said(error), { kind: "bad" });
    } finally {
      set(false);
      onChange();
    }
  };
  const [first, ...later] = schedule.next;
  return (
    <div class="flow-schedule">
      <div class="row">
        <strong>{schedule.words}</strong>
        <span class="spring" />
        <Switch label={t("On")} checked={schedule.enabled} onChange={(enabled) => void act(() => saveSchedule({ ...bodyOf(schedule), enabled }, schedule.id))} />
        <Button kind="quiet" icon="play" disabled={busy} onClick={() => void act(async () => { const id = await runSchedule(schedule.id); onRun(); go(runAddress({ ...schedule, id })); })}>{t("Run now")}</Button>
        <IconButton needs="workspace.write" label={t("Edit schedule: {words}", { words: schedule.words })} icon="edit" onClick={onEdit} />
        <IconButton needs="workspace.write" label={t("Delete schedule: {words}", { words: schedule.words })} icon="trash" disabled={busy}
          onClick={() => void act(async () => {
            await deleteSchedule(schedule.id);
            toast(t("Schedule deleted."), { action: { label: t("Undo"), run: () => void saveSchedule(bodyOf(schedule), null).then(onChange) } });
          })} />
      </div>
      <p class="row flow-facts">
        {!schedule.enabled ? <span>{t("Off")}</span> : first
          ? <span title={fullTime(first)}>{t("Next: {time}", { time: timeInWords(first) })}{later.length ? <span class="muted"> · {later.map(timeInWords).join(" · ")}</span> : null}</span>
          : <span>{t("No time in the next five weeks")}</span>}
        {schedule.last_at ? <span>{t("Last: {when}", { when: ago(schedule.last_at) })}</span> : null}
        {schedule.last_run ? <a href={runAddress(schedule.last_run)}><RunBadge run={schedule.last_run} /></a> : null}
      </p>
      {schedule.input ? <p class="flow-said hint">{schedule.input}</p> : null}
      {schedule.problem ? <p class="wrong">{schedule.problem}</p> : null}
    </div>
  );
}
