import { plural } from "../../i18n";
import { Icon } from "../../ui/icons";
import type { LeftOut } from "./api";

/** Files of one's own that cannot be used, and why. */
export function LeftOutFiles({ files, folder }: { files: LeftOut[]; folder: string }) {
  if (!files.length) return null;
  return (
    <div class="problem left-out" role="status">
      <Icon name="warn" />
      <div>
        <p>{plural(files.length, "{count} file in {folder} is not valid and was skipped:", "{count} files in {folder} are not valid and were skipped:", { folder })}</p>
        <ul>{files.map((each) => <li key={each.file}><strong>{each.file}</strong>: {each.reason}</li>)}</ul>
      </div>
    </div>
  );
}
