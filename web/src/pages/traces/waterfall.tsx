/** Bars on one scale of time: who did what, and when something was first seen or heard. */
import { useEffect, useRef, useState } from "preact/hooks";

import { address } from "../../api/address";
import { useRules } from "../../api/rules";
import { t } from "../../i18n";
import { at } from "../../router";
import { CallMenu } from "../../ui/call-menu";
import { GateList, GateStrip } from "../../ui/gates";
import { Json } from "../../ui/kit";
import { isRecord } from "../../ui/readable";
import { duration } from "../../ui/time";
import { percent, POINTS, spanTitle, ticks, zeroOf, type Span, type Trace } from "./shapes";

/** `most` is the end of the scale: the longest of what is compared. */
export function Waterfall({ trace, most }: { trace: Trace; most: number }) {
  const [open, show] = useState<number | null>(null);
  const zero = zeroOf(trace);
  const audio = useRef<HTMLAudioElement>(null);
  const cursor = useRef<HTMLElement>(null);
  return (
    <div class="waterfall">
      <ul class="waterfall-points">
        {trace.points.filter((point) => point.name !== "asked").map((point) => (
          <li key={point.name} class={`is-${point.name}`}><i aria-hidden="true" />{POINTS[point.name]} <b class="number">{duration(Math.max(0, point.at_ms - zero))}</b></li>
        ))}
      </ul>
      <div class="waterfall-chart">
        <div class="waterfall-scale" aria-hidden="true">
          {ticks(most).map((tick) => <span key={tick} style={{ left: percent(tick, most) }}>{tick ? duration(tick) : "0"}</span>)}
        </div>
        <div class="waterfall-lines" aria-hidden="true">
          {trace.points.map((point) => <i key={point.name} class={`is-${point.name}`} style={{ left: percent(point.at_ms, most) }} title={POINTS[point.name]} />)}
        </div>
        {trace.recorded ? (
          <div class="waterfall-lines is-seekable" aria-hidden="true" onClick={(event) => {
            const { left, width } = event.currentTarget.getBoundingClientRect();
            if (audio.current) audio.current.currentTime = ((event.clientX - left) / width) * (most / 1000);
          }}><i class="waterfall-cursor" ref={cursor} /></div>
        ) : null}
        <ol class="waterfall-rows">
          {trace.spans.map((span, index) => (
            <li key={index}><Row span={span} trace={trace} most={most} open={open === index} onOpen={() => show(open === index ? null : index)} /></li>
          ))}
        </ol>
      </div>
      {trace.recorded ? <Sound trace={trace} most={most} audio={audio} cursor={cursor} /> : null}
    </div>
  );
}

/** The recorded sound; a line over the bars shows where it is. */
function Sound({ trace, most, audio, cursor }: {
  trace: Trace; most: number; audio: { current: HTMLAudioElement | null }; cursor: { current: HTMLElement | null };
}) {
  const [failed, fail] = useState(false);
  useEffect(() => {
    const player = audio.current!;
    let frame = 0;
    const follow = () => {
      if (cursor.current) cursor.current.style.left = percent(player.currentTime * 1000, most);
      if (!player.paused) frame = requestAnimationFrame(follow);
    };
    const events = ["play", "pause", "seeked", "timeupdate"];
    for (const name of events) player.addEventListener(name, follow);
    return () => {
      cancelAnimationFrame(frame);
      for (const name of events) player.removeEventListener(name, follow);
    };
  }, [most]);
  return (
    <>
      <audio ref={audio} controls preload="none" aria-label={t("Recorded sound")} onError={() => fail(true)}
        src={address(`/api/traces/${encodeURIComponent(trace.session_id)}/${trace.turn}/sound`)} />
      {failed ? <p class="wrong" role="alert">{t("The recording cannot be played. It may have been deleted.")}</p> : null}
    </>
  );
}

function Row({ span, trace, most, open, onOpen }: { span: Span; trace: Trace; most: number; open: boolean; onOpen: () => void }) {
  const call = span.seq === null ? null : trace.entries.find((entry) => entry.seq === span.seq) ?? null;
  const failed = call?.ok === false || call?.decision === "refuse";
  const face = (
    <>
      <span class="waterfall-name" title={spanTitle(span)}>{spanTitle(span)}</span>
      <span class="waterfall-track">
        <i class={`is-${span.kind} ${failed ? "is-failed" : ""}`} style={{ left: percent(span.start_ms, most), width: percent(span.end_ms - span.start_ms, most) }} />
        {span.first_ms !== null ? <i class="is-waiting" style={{ left: percent(span.start_ms, most), width: percent(span.first_ms - span.start_ms, most) }} /> : null}
      </span>
      <span class="number waterfall-time">{duration(span.end_ms - span.start_ms)}</span>
    </>
  );
  if (!call) return <div class="waterfall-row">{face}</div>;
  return (
    <>
      <button type="button" class="waterfall-row" aria-expanded={open} onClick={onOpen}>{face}</button>
      {open ? <Inside call={call} session={trace.session_id} mode={trace.mode ?? "text"} /> : null}
    </>
  );
}

function Inside({ call, session, mode }: { call: Trace["entries"][number]; session: string; mode: "text" | "voice" }) {
  const rules = useRules().data;
  return (
    <div class="waterfall-inside">
      <GateStrip gates={call.gates} rules={rules} />
      {call.answer?.error ? <p class="wrong">{call.answer.error.message}</p> : null}
      <h4>{t("Arguments")}</h4>
      <Json value={call.args} label={t("Arguments")} />
      <details><summary>{t("Gates")}</summary><GateList gates={call.gates} rules={rules} /></details>
      {isRecord(call.args) ? <CallMenu call={{ tool: call.tool, args: call.args, mode }} /> : null}
      <p class="row hint"><a href={at("audit", [], { session, line: String(call.seq) })}>{t("Audit line {number}", { number: String(call.seq) })}</a></p>
    </div>
  );
}
