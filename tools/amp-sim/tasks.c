/* SPDX-License-Identifier: GPL-3.0-or-later

   Loops as tasks, in amp-sim: thread 0 makes them in their order, all threads
   take the oldest that is ready, as in section 3.3 of Chronaki and others, "On
   the Maturity of Parallel Applications for Asymmetric Multi-Core
   Processors".  A loop is cut as libgomp's taskloop cuts it: into as many
   tasks as threads, or a number of times as many, of equal length.  Making a
   task keeps the queue of tasks for a while, and so does taking one.  Included
   by amp-sim.c.  */

/* What a task of one loop waits for in the loop before.  */
enum task_depend
{
  DEPEND_ALL,	/* All its tasks: between loops there is a taskwait.  */
  DEPEND_SAME,	/* The task of the same number.  */
  DEPEND_NEAR	/* That and the two beside it.  */
};

struct task_loop
{
  uint64_t tasks;
  uint64_t made, done;	/* Of these.  */
  unsigned char *state;	/* Of each: enum task_state.  */
};

enum task_state { TASK_UNMADE, TASK_MADE, TASK_READY, TASK_DONE };

struct task
{
  size_t loop;
  uint64_t number;
  double ready;		/* Since when it may be taken.  */
};

enum task_what { TASK_MAKES, TASK_SERIAL, TASK_RUNS, TASK_WAITS };

static struct
{
  double cost;			/* Nanoseconds of making a task, and again
				   of taking it.  */
  enum task_depend depend;
  /* While loops run.  */
  uint64_t each;		/* Of tasks a thread.  */
  struct task_loop *loop;
  struct task *queue;		/* Ready: FIRST .. END-1.  */
  size_t first, end, room;
  double free;			/* When nobody uses the queue.  */
  struct
  {
    double time;		/* When it is done with that.  */
    enum task_what what;
    struct task task;
  } lane[MAX_LANES];
  size_t next;			/* The loop of which tasks are made.  */
  bool serial_done;		/* What lies before that is done.  */
  double end_time;
} tasks;

static uint64_t
task_count (uint64_t n)
{
  uint64_t count = tasks.each * machine.lanes;

  return count < n ? count : n != 0 ? n : 1;
}

/* Does a loop after loop number K begin before that has ended?  */

static bool
task_chained_p (size_t k)
{
  return (tasks.depend != DEPEND_ALL
	  && job.loop[k].n == job.loop[k + 1].n);
}

/* Has task NUMBER of loop K nothing to wait for?  */

static bool
task_free_p (size_t k, uint64_t number)
{
  uint64_t i, low = number, high = number;
  const struct task_loop *before;

  if (k == 0 || !task_chained_p (k - 1))
    return true;
  before = &tasks.loop[k - 1];
  if (tasks.depend == DEPEND_NEAR)
    {
      low -= low != 0;
      high += high + 1 < before->tasks;
    }
  for (i = low; i <= high; i++)
    if (before->state[i] != TASK_DONE)
      return false;
  return true;
}

/* Task NUMBER of loop K, which has been made, is ready from NOW on if nothing
   keeps it.  */

static void
task_try (size_t k, uint64_t number, double now)
{
  struct task_loop *loop = &tasks.loop[k];
  struct task *task;

  if (loop->state[number] != TASK_MADE || !task_free_p (k, number))
    return;
  loop->state[number] = TASK_READY;
  task = append (&tasks.queue, &tasks.end, &tasks.room, sizeof *task);
  task->loop = k;
  task->number = number;
  task->ready = now;
}

/* The lane whose event is next; MACHINE.LANES if there is none.  Of lanes that
   wait, who has waited longest is first to take a task.  */

static unsigned
task_next_lane (void)
{
  unsigned i, found = machine.lanes;

  for (i = 0; i < machine.lanes; i++)
    if ((tasks.lane[i].what != TASK_WAITS || tasks.first < tasks.end)
	&& (found == machine.lanes
	    || tasks.lane[i].time < tasks.lane[found].time))
      found = i;
  return found;
}

/* LANE uses the queue from NOW on; returns until when.  */

static double
task_queue (unsigned lane, double now)
{
  double end = fmax (now, tasks.free) + tasks.cost;

  tasks.free = end;
  power_busy (lane, now, end);
  return end;
}

/* Loop number K may be made: those before it have ended, or it does not wait
   for them.  */

static bool
task_may_make_p (size_t k)
{
  return (k == 0 || task_chained_p (k - 1)
	  || tasks.loop[k - 1].done == tasks.loop[k - 1].tasks);
}

/* Lane 0 makes the next task or does what lies before it, from NOW on; false if
   there is none to make now.  */

static bool
task_make (double now)
{
  const struct loop *loop;
  struct task_loop *mine;

  if (tasks.next == job.loops || !task_may_make_p (tasks.next))
    return false;
  loop = &job.loop[tasks.next];
  mine = &tasks.loop[tasks.next];
  if (!tasks.serial_done)
    {
      double end = now + loop->serial / SCALE / machine.speed[0];

      tasks.serial_done = true;
      mine->tasks = task_count (loop->n);
      mine->state = allocate (mine->tasks, 1);
      tasks.lane[0].what = TASK_SERIAL;
      tasks.lane[0].time = end;
      power_busy (0, now, end);
      return true;
    }
  tasks.lane[0].what = TASK_MAKES;
  tasks.lane[0].task.loop = tasks.next;
  tasks.lane[0].task.number = mine->made;
  tasks.lane[0].time = task_queue (0, now);
  if (++mine->made == mine->tasks)
    {
      tasks.next++;
      tasks.serial_done = false;
    }
  return true;
}

/* LANE has done task T at NOW: what waited for it may be ready.  */

static void
task_done (struct task t, double now)
{
  struct task_loop *mine = &tasks.loop[t.loop];
  uint64_t low = t.number, high = t.number, i;

  mine->state[t.number] = TASK_DONE;
  mine->done++;
  tasks.end_time = fmax (tasks.end_time, now);
  if (t.loop + 1 == job.loops || !task_chained_p (t.loop)
      || tasks.loop[t.loop + 1].state == NULL)
    return;
  if (tasks.depend == DEPEND_NEAR)
    {
      low -= low != 0;
      high += high + 1 < mine->tasks;
    }
  for (i = low; i <= high; i++)
    task_try (t.loop + 1, i, now);
}

/* LANE takes the oldest task that is ready, from NOW on.  */

static void
task_take (unsigned lane, double now)
{
  struct task t = tasks.queue[tasks.first++];
  const struct loop *loop = &job.loop[t.loop];
  uint64_t count = tasks.loop[t.loop].tasks;
  struct sim_config c = { .n = loop->n, .at = loop->at, .marks = loop->marks,
			  .sums = loop->sums };
  double work = sim_work (&c, amp_even_bound (loop->n, count, t.number),
			  amp_even_bound (loop->n, count, t.number + 1));
  double begin = task_queue (lane, fmax (now, t.ready));

  tasks.lane[lane].what = TASK_RUNS;
  tasks.lane[lane].task = t;
  tasks.lane[lane].time
    = begin + (work / SCALE
	       / loop_speed (loop, machine.lane_type[lane]));
  power_busy (lane, begin, tasks.lane[lane].time);
}

/* Run all loops, EACH tasks a thread, from AT on; how many nanoseconds that
   takes.  GRANTED becomes the number of tasks.  */

static double
simulate_tasks (uint64_t each, double at, uint64_t *granted)
{
  unsigned i;

  tasks.each = each != 0 ? each : 1;
  tasks.loop = allocate (job.loops, sizeof *tasks.loop);
  tasks.first = tasks.end = 0;
  tasks.free = tasks.end_time = at;
  tasks.next = 0;
  tasks.serial_done = false;
  for (i = 0; i < machine.lanes; i++)
    {
      tasks.lane[i].what = TASK_WAITS;
      tasks.lane[i].time = at;
    }
  /* Lane 0 begins.  */
  tasks.lane[0].what = TASK_SERIAL;
  while ((i = task_next_lane ()) < machine.lanes)
    {
      double now = tasks.lane[i].time;

      tasks.end_time = fmax (tasks.end_time, now);
      if (tasks.lane[i].what == TASK_MAKES)
	{
	  struct task t = tasks.lane[0].task;

	  tasks.loop[t.loop].state[t.number] = TASK_MADE;
	  task_try (t.loop, t.number, now);
	}
      else if (tasks.lane[i].what == TASK_RUNS)
	task_done (tasks.lane[i].task, now);
      tasks.lane[i].what = TASK_WAITS;
      if (i == 0 && task_make (now))
	continue;
      if (tasks.first < tasks.end)
	task_take (i, now);
      /* The last task of a loop lets lane 0 go on.  */
      if (i != 0 && tasks.lane[0].what == TASK_WAITS)
	{
	  tasks.lane[0].time = fmax (tasks.lane[0].time, now);
	  task_make (tasks.lane[0].time);
	}
    }
  *granted = 0;
  for (size_t k = 0; k < job.loops; k++)
    {
      *granted += tasks.loop[k].tasks;
      free (tasks.loop[k].state);
    }
  free (tasks.loop);
  return tasks.end_time - at;
}
