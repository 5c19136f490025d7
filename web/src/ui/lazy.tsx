/** A part that comes when it is first shown: until then there is nothing in its place. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let there: ComponentType<P> | null = null;
  return function Lazy(props: P) {
    const [, come] = useState(false);
    useEffect(() => {
      let here = true;
      if (!there) {
        // A server that is away is told of elsewhere; what is missing comes with the next one that is shown.
        load().then((part) => { there = part; if (here) come(true); }, () => {});
      }
      return () => { here = false; };
    }, []);
    return there ? <Part of={there} props={props} /> : null;
  };
}

function Part<P extends object>({ of: Content, props }: { of: ComponentType<P>; props: P }) {
  return <Content {...props} />;
}
