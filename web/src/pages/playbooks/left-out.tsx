import { Icon } from "../../ui/icons";
import type { LeftOut } from "./api";

/** Files of one's own that cannot be used, and why. */
export function LeftOutFiles({ files, folder, what }: { files: LeftOut[]; folder: string; what: string }) {
  if (!files.length) return null;
  return (
    <div class="problem left-out" role="status">
      <Icon name="warn" />
      <div>
        <p>{files.length === 1 ? "A file is" : `${files.length} files are`} no {what} and left out, in <code>{folder}</code>:</p>
        <ul>{files.map((each) => <li key={each.file}><strong>{each.file}</strong>: {each.reason}</li>)}</ul>
      </div>
    </div>
  );
}
