/** The control that a schema asks for. */
import { useContext } from "preact/hooks";

import { t } from "../../i18n";
import { ArrayGroup, ObjectGroup, VariantGroup } from "./groups";
import { ChoiceLeaf, ConstLeaf, JsonLeaf, NullLeaf, NumberLeaf, TextLeaf } from "./leaves";
import { Around, type Place } from "./parts";
import { fits, shapeOf } from "./schema";

export function Part({ nullable, ...place }: Place & { nullable?: boolean }) {
  const { root } = useContext(Around);
  const found = shapeOf(place.schema, root, place.name.replace(/ \d+$/, ""));
  const shape = nullable ? { ...found, nullable } : found;
  if (!fits(shape, place.value)) {
    return <JsonLeaf {...place} shape={shape} note={t("This value does not fit the form, so it is shown as JSON.")} />;
  }
  if (place.value === null && shape.nullable) return <NullLeaf {...place} shape={shape} />;
  switch (shape.kind) {
    case "text":
      return <TextLeaf {...place} shape={shape} />;
    case "number":
      return <NumberLeaf {...place} shape={shape} />;
    case "choice":
      return <ChoiceLeaf {...place} shape={shape} />;
    case "const":
      return <ConstLeaf {...place} shape={shape} />;
    case "object":
      return <ObjectGroup {...place} shape={shape} />;
    case "array":
      return <ArrayGroup {...place} shape={shape} />;
    case "variants":
      return <VariantGroup {...place} shape={shape} />;
    default:
      return <JsonLeaf {...place} shape={shape} />;
  }
}
