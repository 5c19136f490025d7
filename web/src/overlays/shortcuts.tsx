import { signal } from "@preact/signals";

import { t } from "../i18n";
import { type Shortcut, shortcuts } from "../stores/shortcuts";
import { Dialog } from "../ui/dialog";

export const shortcutsOpen = signal(false);

export function ShortcutsOverlay() {
  if (!shortcutsOpen.value) return null;
  const groups = [...new Set(shortcuts.value.map((each) => each.group))];
  return (
    <Dialog title={t("Keyboard shortcuts")} class="shortcuts" onClose={() => (shortcutsOpen.value = false)}>
      <div class="shortcuts-groups">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {shortcuts.value.filter((each) => each.group === group).map((each) => (
                <Row key={`${each.keys} ${each.label}`} of={each} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const mac = /mac|iphone|ipad/i.test(navigator.platform);

function Row({ of }: { of: Shortcut }) {
  return (
    <div>
      <dt>{of.label}</dt>
      <dd>{of.keys.split("+").map((key) => <kbd key={key}>{mac && key === "Ctrl" ? "⌘" : key}</kbd>)}</dd>
    </div>
  );
}
