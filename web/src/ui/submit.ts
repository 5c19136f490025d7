/** A form that is sent: once at a time, and what is wrong is told at its field. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { ApiError, said } from "../api/http";

/** By the name of a field; '' is what is about none of them. */
export type Wrong = Partial<Record<string, string>>;

/** What the server says is wrong. `rules.0` is about the field `rules` where that has no parts of its own here. */
export function wrongIn(error: unknown, fields: readonly string[]): Wrong {
  const listed = error instanceof ApiError ? (error.body as { errors?: unknown } | null)?.errors : null;
  const found: Record<string, string> = {};
  for (const each of Array.isArray(listed) ? (listed as { name?: unknown; message?: unknown }[]) : []) {
    if (typeof each.name !== "string" || typeof each.message !== "string") continue;
    const name = [each.name, each.name.split(".")[0]!].find((one) => fields.includes(one)) ?? "";
    found[name] = found[name] ? `${found[name]} ${each.message}` : each.message;
  }
  return Object.keys(found).length ? found : { "": said(error) };
}

export interface Submit {
  busy: boolean;
  /** What was sent last was taken. */
  done: boolean;
  wrong: Wrong;
  setWrong: (wrong: Wrong) => void;
  /** Whether it worked. */
  submit: (work: () => Promise<unknown>) => Promise<boolean>;
  /** Of the form: the first field that is wrong gets the focus. */
  form: RefObject<HTMLFormElement | null>;
}

export function useSubmit(fields: readonly string[]): Submit {
  const [busy, work] = useState(false);
  const [done, finish] = useState(false);
  const [wrong, setWrong] = useState<Wrong>({});
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (Object.keys(wrong).length) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [wrong]);
  const submit = async (todo: () => Promise<unknown>): Promise<boolean> => {
    if (busy) return false;
    work(true);
    finish(false);
    setWrong({});
    try {
      await todo();
      finish(true);
      return true;
    } catch (error) {
      setWrong(wrongIn(error, fields));
      return false;
    } finally {
      work(false);
    }
  };
  return { busy, done, wrong, setWrong, submit, form };
}
