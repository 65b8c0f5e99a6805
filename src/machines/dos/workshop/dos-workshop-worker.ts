import { serveJobs } from '../../shared/serve-jobs.ts';
import { jobs } from './jobs.ts';

serveJobs(jobs);
