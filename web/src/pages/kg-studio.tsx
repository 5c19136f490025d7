import { Empty } from "../ui/kit";

export default function Page() {
  return <Empty title="kg-studio" />;
}
