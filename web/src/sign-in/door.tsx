/** In front of the console: whoever is not let in sees nothing of it. Who was inside finds all as it was. */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

import { AWAY_MS } from "../api/load";
import { t } from "../i18n";
import { account, arrive, shut, trouble } from "../stores/account";
import { linkSecret } from "../stores/entrance";
import { Problem } from "../ui/kit";
import { lazy } from "../ui/lazy";
import { Entrance } from "./entrance";
import "./sign-in.css";

const SignIn = lazy(() => import("./sign-in").then((part) => part.SignIn));
const FollowLink = lazy(() => import("./link").then((part) => part.FollowLink));

/** `inside` is the app, once it is there. */
export function Door({ inside: Inside }: { inside: ComponentType | null }) {
  const secret = linkSecret.value;
  const before = secret !== null ? <FollowLink key={secret} secret={secret} /> : trouble.value ? <Away error={trouble.value} /> : shut.value ? <SignIn /> : null;
  return (
    <>
      {Inside && account.value ? <div class="inside" hidden={before !== null}><Inside /></div> : null}
      {before && account.value ? <Over>{before}</Over> : before}
    </>
  );
}

/** Above whatever was open: a window that waits behind it would take every click. */
function Over({ children }: { children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const open = () => { if (!element.current!.open) element.current!.showModal(); };
  useLayoutEffect(() => {
    open();
    return () => element.current?.close();
  }, []);
  return (
    // A browser closes a window on the second Escape whatever a page says.
    <dialog ref={element} class="entrance-over" aria-label={t("Sign in")} onCancel={(event) => event.preventDefault()} onClose={() => element.current && open()}>{children}</dialog>
  );
}

/** The server does not say who this is. It is asked until it does. */
function Away({ error }: { error: Error }) {
  useEffect(() => {
    const timer = setInterval(() => void arrive(), AWAY_MS);
    return () => clearInterval(timer);
  }, []);
  return <Entrance title={t("Antiphon is not available")}><Problem error={error} retry={() => void arrive()} /></Entrance>;
}
