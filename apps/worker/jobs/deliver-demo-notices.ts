/** demo-provider.deliver: the demo provider sends its notices again until the shop has stored them. */
import type { JobDeps, JobDetail } from './job.ts';

const MAX_NOTICES_A_RUN = 200;

export async function deliverDemoNotices({ demoProvider }: JobDeps): Promise<JobDetail> {
  const tried = (await demoProvider?.deliver({ limit: MAX_NOTICES_A_RUN })) ?? [];
  const changed = tried.filter(({ delivered }) => delivered).length;
  return { scanned: tried.length, changed, failed: tried.length - changed };
}
