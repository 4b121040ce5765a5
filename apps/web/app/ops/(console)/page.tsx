import { OverviewPage } from '../../../components/ops/overview-page.tsx';

export default function Page() {
  return <OverviewPage />;
}
