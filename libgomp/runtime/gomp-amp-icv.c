/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Schedules from the program: omp_set_schedule and its like.  */

#include "gomp-amp-glue.h"

int
gomp_amp_show_sched (int kind)
{
  if (kind != GFS_AMP_UNSET)
    return kind;
  /* From a thread's own ICVs, if it has none yet: what is set later is set
     there.  */
  gomp_icv (true)->run_sched_shown_unset = true;
  return GFS_DYNAMIC;
}

enum gomp_schedule_type
gomp_amp_set_stock_sched (struct gomp_task_icv *icv, int kind)
{
  gomp_amp_note_choice ();
  /* Who sets what it was shown restores it.  */
  if (icv->run_sched_shown_unset && kind == GFS_DYNAMIC
      && icv->run_sched_chunk_size == 1)
    return GFS_AMP_UNSET;
  return (enum gomp_schedule_type) kind;
}

bool
gomp_amp_set_run_sched (struct gomp_task_icv *icv, int kind, int chunk)
{
  const struct amp_ops *ops = amp_find_kind (kind & ~GFS_MONOTONIC);

  if (ops == NULL || gomp_amp_off)
    return false;
  gomp_amp_note_choice ();
  /* As OpenMP has it for the kinds of its own: a chunk below 1 stands for
     the default; and one that is out of range is not worth an error.  */
  if (chunk < 1)
    chunk = ops->param[0].def;
  else if (chunk < ops->param[0].min)
    chunk = ops->param[0].min;
  else if (chunk > ops->param[0].max)
    chunk = ops->param[0].max;
  icv->run_sched_var = kind;
  icv->run_sched_chunk_size = chunk;
  icv->run_sched_param2 = 0;
  return true;
}

int
gomp_amp_set_schedule (int kind, int first, int second)
{
  struct gomp_task_icv *icv = gomp_icv (true);
  const struct amp_ops *ops = amp_find_kind (kind & ~GFS_MONOTONIC);
  struct amp_params params = { { first, second } };
  unsigned i;

  if (ops == NULL || gomp_amp_off)
    return -1;
  for (i = 0; i < AMP_MAX_PARAMS; i++)
    {
      const struct amp_param_info *info = &ops->param[i];

      if (params.value[i] == 0)
	continue;
      if (i >= ops->nparams || params.value[i] < info->min
	  || params.value[i] > info->max)
	return -1;
    }
  if (ops->check != NULL && ops->check (&params) != NULL)
    return -1;
  gomp_amp_set_run_sched (icv, kind, first);
  if (ops->nparams > 1)
    icv->run_sched_param2 = second;
  return 0;
}

void
gomp_amp_get_schedule (int *kind, int *first, int *second)
{
  struct gomp_task_icv *icv = gomp_icv (false);
  const struct amp_ops *ops;

  *kind = gomp_amp_show_sched (icv->run_sched_var);
  *first = icv->run_sched_chunk_size;
  ops = amp_find_kind (*kind & ~GFS_MONOTONIC);
  *second = ops != NULL && ops->nparams > 1 ? icv->run_sched_param2 : 0;
}

int
gomp_amp_get_num_core_types (void)
{
  return gomp_amp_topology.types ? gomp_amp_topology.types : 1;
}

int
gomp_amp_get_core_type (void)
{
  return gomp_amp_topology.types > 1 ? amp_current_type () : 0;
}
